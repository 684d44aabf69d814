"""The program, as `cijie` and as `python -m cijie`."""

import sys


def main() -> None:
    """Run the command; Ctrl-C ends it in one line from its first import on."""
    try:
        from cijie.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("Aborted!\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
