"""`glfft tune`: measures kernels on this device, keeps the fastest, and reads and writes files of them."""

import argparse

from glfft.algorithms.storage import STORAGES
from glfft.commands.arguments import DEFAULT_SIZES, add_device, add_sizes, adder, file_name, shapes, whole_number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_sizes(parser, left_out=f"default: {DEFAULT_SIZES}; none with --import or --export")
    add = adder(parser)
    batch = "transform N pictures at once, as layers of texture arrays (default: one 2-D texture)"
    add("--batch N", whole_number(least=1), batch)
    add("--storage", tuple(STORAGES), "format of the textures or buffers", default="rg32f")
    add("--real", None, "tune transforms of real numbers, whose rows have kernels of their own")
    add("--quick", None, "measure 8 kernels per pass instead of about 50")
    imported = "add measurements from files of --export; for equal lines the faster kernel is kept"
    add("--import FILE", file_name, imported, dest="imported", nargs="+", default=[])
    exported = "write this device's measurements to a file, for every device of its family with any driver"
    add("--export FILE", file_name, exported)
    add_device(parser)


def run(arguments: argparse.Namespace) -> None:
    """Import, measure, report, export. Raises what the work does, OptionError for a batch that half fills a layer."""
    from glfft.apps import tune

    sizes = arguments.sizes
    if sizes is None:
        sizes = [] if arguments.imported or arguments.export else shapes(DEFAULT_SIZES)
    layers = None if arguments.batch is None else STORAGES[arguments.storage].layers_of(arguments.batch)
    wanted = tune.Wanted(sizes, layers, arguments.storage, arguments.real, arguments.quick)
    tune.run(wanted, arguments.imported, arguments.export, arguments.device)
