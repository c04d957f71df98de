"""`glfft demo NAME`: demos in a window or as a picture."""

from __future__ import annotations

import argparse
import importlib

# Each demo's module, and what it does.
_DEMOS = {
    "ofdm": ("glfft.commands.demo_ofdm", "receive WirelessHD symbols: constellation, spectrum, errors, throughput"),
    "channelizer": ("glfft.commands.demo_channelizer", "divide a wideband signal into channels, as a live waterfall"),
    "overlay": ("glfft.commands.demo_overlay", "time the sections of a frame: spinning cubes under the overlay"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the demos of `glfft demo`, each with its options."""
    demos = parser.add_subparsers(title="demos", metavar="NAME", dest="demo", required=True)
    for name, (module, summary) in _DEMOS.items():
        demo = demos.add_parser(name, help=summary, description=f"{summary[:1].upper()}{summary[1:]}.")
        importlib.import_module(module).add_arguments(demo)


def run(arguments: argparse.Namespace) -> int:
    """Run a demo. See `glfft.commands.cli` for the exit code."""
    return importlib.import_module(_DEMOS[arguments.demo][0]).run(arguments)
