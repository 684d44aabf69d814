"""Recovery of a source: pairs, methods by name, the recoverer."""
