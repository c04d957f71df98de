"""`glfft spectrum descreen`: pictures without halftone screens, moire and stripes."""

import argparse
from pathlib import Path

from glfft.commands.arguments import adder, between, file_name, whole_number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="picture files")
    add = adder(parser)
    add("-o --output DIR", file_name, "folder for the results, under the pictures' names", required=True)
    peaks = "remove at most N pairs of peaks, the highest (default: all that stand out)"
    add("--peaks N", whole_number(least=1), peaks)
    radius = between(0.5, 1000, "cycles")
    add("--radius R", radius, "cycles a picture that go around each peak (default: what screen or waves take)")


def run(arguments: argparse.Namespace) -> int:
    from glfft.apps.spectrum.retouching import Descreening, descreen_files

    how = Descreening(arguments.peaks, arguments.radius)
    return 1 if descreen_files([Path(name) for name in arguments.images], arguments.output, how) else 0
