"""`glfft filter`: pictures convolved with a kernel, or freed from its blur."""

import argparse
from pathlib import Path

from glfft.commands.arguments import adder, between, file_name, given, whole_number
from glfft.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    images = "picture files, also .exr and .hdr, both of which are written as .exr"
    parser.add_argument("images", nargs="+", type=file_name, metavar="IMAGE", help=images)
    add = adder(parser)
    kernel = "gaussian:SIGMA, motion:LENGTH,ANGLE, lens:BLADES,RADIUS (pixels and degrees), or a picture of weights"
    add("--kernel KERNEL", str, kernel, required=True)
    output = "picture to write, or folder for several (default: NAME-filtered beside each picture)"
    add("-o --output FILE|DIR", file_name, output)
    add("--boundary", ("mirror", "edge", "wrap", "zero"), "what lies outside the picture", default="mirror")
    add = adder(parser, "undoing a blur")
    add("--deconvolve", None, "undo the kernel's blur, by Wiener's filter")
    noise = "power of the noise as a share of the signal's: more is smoother (default: 0.01)"
    add("--noise SHARE", between(0.0, 1e6), noise)
    add("--iterations N", whole_number(least=1), "use N iterations of Richardson and Lucy's algorithm: rings less")


def run(arguments: argparse.Namespace) -> int:
    if not arguments.deconvolve and (arguments.noise is not None or arguments.iterations is not None):
        raise UsageError("Add --deconvolve, which --noise and --iterations are for, or leave them out.")
    if arguments.noise is not None and arguments.iterations is not None:
        raise UsageError("Give one of them: --noise is for Wiener's filter, --iterations for Richardson and Lucy's.")
    from glfft.apps.filtering import Filtering, filter_files

    how = Filtering(**given(arguments, Filtering))
    return 1 if filter_files([Path(name) for name in arguments.images], how, arguments.output) else 0
