"""The learner benchmark: choose corrections, annotate words, adjudicate and compare."""
