"""`glfft demo ofdm`: options to a radio link, shown in a window or as a picture."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from glfft.algorithms.registry import check_algorithm
from glfft.apps.ofdm.link.settings import CHANNELS, HIGHEST_DB, LOWEST_DB, WIDTHS, LinkSettings
from glfft.commands import arguments as common
from glfft.commands import demo_picture

if TYPE_CHECKING:
    import moderngl

_DEFAULTS = LinkSettings()
_NAME = "ofdm"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `glfft demo ofdm`."""
    add = common.adder(parser, "link")
    add("--channel", CHANNELS, "direct path alone, or with five echoes", default=_DEFAULTS.channel)
    noise = "bit energy over noise density, dB"
    add("--ebn0 DB", common.between(LOWEST_DB, HIGHEST_DB, "dB"), noise, default=_DEFAULTS.bit_energy_db)
    samples = "storage of samples: floats, or integers of 8 to 2 bits"
    add("--samples", WIDTHS, samples, default=_DEFAULTS.samples)
    add("--seed S", common.whole_number(least=0), "seed of bits and noise", default=_DEFAULTS.seed)
    add = common.adder(parser, "receiver")
    symbols = "symbols per block, a multiple of 22 (default: chosen for the device)"
    add("--symbols N", common.whole_number(least=1), symbols)
    add("--in-flight N", common.whole_number(least=1), "most blocks in flight at once", default=_DEFAULTS.in_flight)
    add("--direct", None, "transform samples from the memory they are written to, without a copy on the device")
    algorithm = "algorithm of the transforms, such as auto or the paper's radix-8; 'glfft info' lists them"
    add("--algorithm NAME", str, algorithm, default=_DEFAULTS.algorithm)
    demo_picture.add_arguments(parser, _NAME)


def run(arguments: argparse.Namespace) -> int:
    """Show the link, or write its picture. See `glfft.commands.cli` for the exit code."""
    check_algorithm(arguments.algorithm)
    settings = LinkSettings(
        channel=arguments.channel,
        bit_energy_db=arguments.ebn0,
        samples=arguments.samples,
        symbols=arguments.symbols,
        algorithm=arguments.algorithm,
        in_flight=arguments.in_flight,
        direct=arguments.direct,
        seed=arguments.seed,
    )
    if arguments.symbols is not None:
        from glfft.apps.ofdm.link.receiver import check_symbols

        check_symbols(arguments.symbols)

    def show() -> None:
        from glfft.apps.ofdm.board import open_link

        open_link(settings, arguments.resolution, arguments.frames, arguments.trace)

    def draw(ctx: moderngl.Context) -> Any:
        from glfft.apps.ofdm.board import draw_link

        return draw_link(ctx, settings, arguments.resolution)

    return demo_picture.run(arguments, _NAME, show, draw)
