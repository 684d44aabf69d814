"""Benchmarks: texts, gold, and how they came about."""
