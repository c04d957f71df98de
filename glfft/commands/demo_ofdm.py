"""`glfft demo ofdm`: options to a radio link, shown in a window or as a picture."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from glfft.algorithms.registry import check_algorithm
from glfft.commands import arguments as common
from glfft.demos.ofdm.settings import CHANNELS, HIGHEST_DB, LOWEST_DB, WIDTHS, LinkSettings
from glfft.errors import UsageError
from glfft.files import check_writable, make_folder

_DEFAULTS = LinkSettings()
_RESOLUTION = (1280, 720)
_LEAST_SIDE, _LARGEST_SIDE = 64, 16384


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
        "--algorithm",
        default=_DEFAULTS.algorithm,
        metavar="NAME",
        help="algorithm of the transforms, such as auto or the paper's radix-8; 'glfft info' lists them",
    )
    show = parser.add_argument_group("the picture")
    show.add_argument(
        "--resolution",
        type=common.resolution(_LEAST_SIDE, _LARGEST_SIDE),
        default=_RESOLUTION,
        metavar="WxH",
        help="pixels (default: {}x{})".format(*_RESOLUTION),
    )
    show.add_argument(
        "--frames", type=common.whole_number(least=1), metavar="N", help="close the window after so many frames"
    )
    show.add_argument("--headless", action="store_true", help="open no window, and write a picture")
    show.add_argument(
        "-o",
        "--out",
        type=common.file_name,
        metavar="FILE.png",
        help="write the picture there, and open no window (default when headless: out/ofdm.png)",
    )


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
        seed=arguments.seed,
    )
    if arguments.seed < 0:
        raise UsageError(f"--seed is {arguments.seed} and must not be negative.")
    if arguments.symbols is not None:
        from glfft.demos.ofdm.receiver import check_symbols

        check_symbols(arguments.symbols)
    if arguments.out or arguments.headless or not _display_or_say_so():
        return _write(arguments, settings)
    from glfft.demos.ofdm.show import show

    show(settings, arguments.resolution, arguments.frames)
    return 0


def _write(arguments: argparse.Namespace, settings: LinkSettings) -> int:
    if arguments.frames is not None:
        raise UsageError("--frames has no effect here: there is no window.")
    if arguments.out and Path(arguments.out).suffix.lower() != ".png":
        raise UsageError(f"The picture is a PNG file and --out names {arguments.out}; name a .png.")
    path = arguments.out or make_folder("out") / "ofdm.png"
    check_writable(path)
    from glfft.demos.ocean.export import save_picture
    from glfft.demos.ofdm.picture import draw_picture
    from glfft.gl.context import open_context

    ctx = open_context()
    try:
        save_picture(path, draw_picture(ctx, settings, arguments.resolution))
    finally:
        ctx.release()
    print(path)
    return 0


def _display_or_say_so() -> bool:
    from glfft.ui.window import has_display

    if has_display():
        return True
    print("glfft demo ofdm: no display can be reached, so no window opens; writing a picture instead.", file=sys.stderr)
    return False
