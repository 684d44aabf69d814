"""Recovery of word boundaries: sentences, methods by name, and the recoverer."""
