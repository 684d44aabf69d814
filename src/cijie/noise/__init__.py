"""The synthetic benchmark: noise injected into a segmented corpus, and methods run on it."""
