"""What serves the paper alone: its experiments, its claims, its IBM-style aligner."""
