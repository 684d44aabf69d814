"""Files: named, opened, decoded, locked, written as a whole; ids of records."""
