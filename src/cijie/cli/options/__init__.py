"""Options that several commands share: dataclasses, by subject."""
