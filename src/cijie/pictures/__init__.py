"""Draw single recoveries for terminals, notebooks and papers.

All pictures share one layout, `cijie.pictures.layout`: the columns of source and target, and the
links drawn as lines. `cijie.pictures.reasons` explains each boundary in a sentence.
"""
