"""Similarity of two characters by glyph, sound, position and context."""
