"""Scores, their significance, error types, coverage."""
