"""Benchmarks that are made on the user's machine, from corpora that the user has."""
