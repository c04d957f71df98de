"""`glfft spectrum descreen`: pictures without halftone screens, moire and stripes."""

import argparse
from pathlib import Path

from glfft.commands.arguments import adder, file_name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("images", nargs="+", type=file_name, metavar="IMAGE", help="picture files")
    adder(parser)("-o --output FILE|DIR", file_name, "picture to write, or folder for the results", required=True)


def run(arguments: argparse.Namespace) -> int:
    from glfft.apps.spectrum.retouching import descreen_files

    return 1 if descreen_files([Path(name) for name in arguments.images], arguments.output) else 0
