"""Runs over many pairs: in batches, on several cores, resumable, on a cluster."""
