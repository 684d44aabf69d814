"""Texts, their characters and their words."""
