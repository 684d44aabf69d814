"""The command line: thin commands without logic of their own.

Modules here import nothing heavy: `cijie --help` loads them all.
"""
