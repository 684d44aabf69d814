"""How alike two characters are: by glyph, sound, position and context."""
