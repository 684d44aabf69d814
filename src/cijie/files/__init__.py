"""Files: opened, decoded, written atomically; URLs; ids of records."""
