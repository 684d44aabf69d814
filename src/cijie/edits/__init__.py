"""Edits between two segmentations of the same sentence."""
