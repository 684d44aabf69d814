"""The command line: one thin command a file, no logic.

Modules here import nothing heavy: `cijie --help` loads them all.
"""
