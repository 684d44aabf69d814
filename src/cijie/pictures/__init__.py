"""Pictures of single recoveries, for terminals, notebooks and papers.

One layout, `cijie.pictures.layout`, serves them all: what stands under what, and which links are
lines. `cijie.pictures.reasons` says in sentences why a boundary is where it is.
"""
