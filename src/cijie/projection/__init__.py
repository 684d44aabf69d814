"""Projection of the target's boundaries: Π, the weighing of P3, and the dictionary baseline."""
