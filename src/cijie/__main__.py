"""`python -m cijie`."""

from cijie.cli.main import cijie

if __name__ == "__main__":
    cijie(prog_name="cijie")
