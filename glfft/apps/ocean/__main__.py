"""`python -m glfft.apps.ocean` is `glfft ocean`."""

import sys

from glfft.commands.cli import main

if __name__ == "__main__":
    sys.exit(main(["ocean", *sys.argv[1:]]))
