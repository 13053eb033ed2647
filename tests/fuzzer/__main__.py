"""`python -m fuzzer`, see `command.py`."""

import sys

from fuzzer.command import main

if __name__ == "__main__":
    sys.exit(main())
