"""`glfft demo channelizer`: options to a scan, shown in a window or as a picture."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from glfft.commands import arguments as common
from glfft.commands import demo_picture
from glfft.errors import UsageError

if TYPE_CHECKING:
    import moderngl

_NAME = "channelizer"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `glfft demo channelizer`."""
    signal = parser.add_argument_group("the signal")
    signal.add_argument(
        "--file",
        type=common.file_name,
        metavar="FILE",
        help="a SigMF recording or raw samples, as of glfft channelize (default: a signal made up of several stations)",
    )
    signal.add_argument(
        "--samples",
        choices=("cf32", "ci16", "ci8", "cu8"),
        help="type of a raw file's samples, if its name does not tell",
    )
    signal.add_argument("--rate", type=common.number, metavar="HZ", help="samples a second (default: as recorded)")
    signal.add_argument("--seed", type=common.whole_number(least=0), metavar="S", help="of the signal made up")
    bank = parser.add_argument_group("channels")
    bank.add_argument(
        "--channels", type=common.whole_number(least=2), default=256, metavar="M", help="how many; any number from 2"
    )
    bank.add_argument(
        "--decimation",
        type=common.whole_number(least=1),
        metavar="D",
        help="keep every D-th sample of a channel, 1 to M (default: half of M)",
    )
    bank.add_argument(
        "--taps", type=common.whole_number(least=1), default=12, metavar="N", help="taps of the filter for each channel"
    )
    demo_picture.add_arguments(parser, _NAME)


def run(arguments: argparse.Namespace) -> int:
    """Show the scan, or write its picture. See `glfft.commands.cli` for the exit code."""
    if arguments.file is None and (arguments.samples or arguments.rate is not None):
        raise UsageError("--samples and --rate are of a recording; name it with --file.")
    if arguments.file is not None and arguments.seed is not None:
        raise UsageError("--seed is of the signal made up; leave it out, or --file.")
    if arguments.rate is not None and not 0 < arguments.rate < float("inf"):
        raise UsageError(f"--rate is {arguments.rate:g} and must be a positive number of hertz.")
    from glfft.apps.channelizer.scan import ScanSettings
    from glfft.channelizer.recordings import open_recording

    recording = arguments.file and open_recording(arguments.file, arguments.samples, arguments.rate)
    settings = ScanSettings(
        arguments.channels, arguments.decimation, arguments.taps, recording, seed=arguments.seed or 0
    )
    # Refused before a window opens.
    _ = settings.bank

    def show() -> None:
        from glfft.apps.channelizer.scan_display import open_scan

        open_scan(settings, arguments.resolution, arguments.frames)

    def draw(ctx: moderngl.Context) -> Any:
        from glfft.apps.channelizer.scan_display import draw_scan

        return draw_scan(ctx, settings, arguments.resolution)

    return demo_picture.run(arguments, _NAME, show, draw)
