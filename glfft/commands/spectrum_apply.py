"""`glfft spectrum apply`: pictures through a mask over their spectra."""

import argparse
from pathlib import Path

from glfft.commands.arguments import adder, file_name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    mask = "picture with the zero frequency in the middle, black where frequencies go, or .npz with the array mask"
    parser.add_argument("mask", type=file_name, metavar="MASK", help=mask)
    parser.add_argument("images", nargs="+", type=file_name, metavar="IMAGE", help="picture files of the mask's size")
    adder(parser)("-o --output FILE|DIR", file_name, "picture to write, or folder for the results", required=True)


def run(arguments: argparse.Namespace) -> int:
    from glfft.apps.spectrum.retouching import apply_mask_files

    return 1 if apply_mask_files(arguments.mask, [Path(name) for name in arguments.images], arguments.output) else 0
