"""`python -m fencepost` is `verify`."""

import sys

from fencepost.cli import main

if __name__ == "__main__":
    sys.exit(main())
