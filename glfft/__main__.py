"""`python -m glfft` is the command `glfft`."""

import sys

if __name__ == "__main__":
    try:
        from glfft.commands.cli import main

        code = main()
    except KeyboardInterrupt:  # while the module was loaded
        code = 130
    sys.exit(code)
