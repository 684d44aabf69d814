"""The synthetic benchmark: inject noise into a segmented corpus, and run methods on it."""
