"""`glfft demo ofdm`: options to a radio link, shown in a window or as a picture."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from glfft.algorithms.registry import check_algorithm
from glfft.apps.ofdm.link.settings import CHANNELS, HIGHEST_DB, LOWEST_DB, WIDTHS, LinkSettings
from glfft.commands import arguments as common
from glfft.commands import demo_picture
from glfft.errors import UsageError

if TYPE_CHECKING:
    import moderngl

_DEFAULTS = LinkSettings()
_NAME = "ofdm"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `glfft demo ofdm`."""
    link = parser.add_argument_group("the link")
    link.add_argument(
        "--channel", choices=CHANNELS, default=_DEFAULTS.channel, help="the direct path alone, or with five echoes"
    )
    link.add_argument(
        "--ebn0",
        type=_energy,
        default=_DEFAULTS.bit_energy_db,
        metavar="DB",
        help="energy of a bit over the noise's density, dB",
    )
    link.add_argument(
        "--samples",
        choices=WIDTHS,
        default=_DEFAULTS.samples,
        help="how samples are kept: floats, or integers of 8 to 2 bits",
    )
    link.add_argument("--seed", type=common.integer, default=_DEFAULTS.seed, metavar="S", help="of bits and noise")
    receiver = parser.add_argument_group("the receiver")
    receiver.add_argument(
        "--symbols",
        type=common.whole_number(least=1),
        metavar="N",
        help="symbols of a block, a multiple of 22 (default: as many as suit the device)",
    )
    receiver.add_argument(
        "--in-flight",
        type=common.whole_number(least=1),
        default=_DEFAULTS.in_flight,
        metavar="N",
        help="blocks that may be under way at once",
    )
    receiver.add_argument(
        "--direct",
        action="store_true",
        help="transforms read the memory that samples are written to, and not a copy on the device",
    )
    receiver.add_argument(
        "--algorithm",
        default=_DEFAULTS.algorithm,
        metavar="NAME",
        help="algorithm of the transforms, such as auto or the paper's radix-8; 'glfft info' lists them",
    )
    demo_picture.add_arguments(parser, _NAME)


def _energy(text: str) -> float:
    db = common.number(text)
    if not LOWEST_DB <= db <= HIGHEST_DB:  # written so that NaN fails too
        raise argparse.ArgumentTypeError(f"{text} must be from {LOWEST_DB:g} to {HIGHEST_DB:g} dB")
    return db


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
    if arguments.seed < 0:
        raise UsageError(f"--seed is {arguments.seed} and must not be negative.")
    if arguments.symbols is not None:
        from glfft.apps.ofdm.link.receiver import check_symbols

        check_symbols(arguments.symbols)

    def show() -> None:
        from glfft.apps.ofdm.link_display import open_link

        open_link(settings, arguments.resolution, arguments.frames)

    def draw(ctx: moderngl.Context) -> Any:
        from glfft.apps.ofdm.link_display import draw_link

        return draw_link(ctx, settings, arguments.resolution)

    return demo_picture.run(arguments, _NAME, show, draw)
