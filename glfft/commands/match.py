"""`glfft match`: where a template lies in a picture."""

import argparse

from glfft.commands.arguments import adder, file_name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("image", type=file_name, metavar="IMAGE", help="picture file to search")
    template = "picture file of what to look for, at the same scale and not turned; at most as large"
    parser.add_argument("template", type=file_name, metavar="TEMPLATE", help=template)
    add = adder(parser)
    add("-o --output FILE", file_name, "write the picture with a frame around what was found")
    add("--json", None, "print JSON, for programs")


def run(arguments: argparse.Namespace) -> None:
    from glfft.apps.matching import match_files

    match_files(arguments.image, arguments.template, arguments.output, arguments.json)
