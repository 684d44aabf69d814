"""Readers and writers, one format a file."""
