"""`python -m glfft` is the command `glfft`."""

import sys

from glfft.commands.cli import main

if __name__ == "__main__":
    sys.exit(main())
