"""P3: every change that the target suggests is weighed by word-level evidence."""
