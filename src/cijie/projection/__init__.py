"""Projection of the target's boundaries: Π, P3's weighing of evidence, and the dictionary."""
