"""The learner benchmark: corrections chosen, words annotated, adjudicated, compared."""
