"""The paper's experiments, its claims and its IBM-style aligner."""
