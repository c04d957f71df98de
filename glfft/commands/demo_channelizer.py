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
    add = common.adder(parser, "signal")
    recording = "SigMF recording or raw samples, as for glfft channelize (default: synthetic signal)"
    add("--file FILE", common.file_name, recording)
    add("--samples", common.SAMPLES, "sample type of a raw file whose name does not tell")
    add("--rate HZ", common.number, "samples per second (default: as recorded)")
    add("--seed S", common.whole_number(least=0), "seed of the synthetic signal")
    add = common.adder(parser, "channels")
    add("--channels M", common.whole_number(least=2), "number of channels, 2 or more", default=256)
    decimation = "keep every D-th sample of a channel, 1 to M (default: half of M)"
    add("--decimation D", common.whole_number(least=1), decimation)
    add("--taps N", common.whole_number(least=1), "filter taps per channel", default=12)
    demo_picture.add_arguments(parser, _NAME)


def run(arguments: argparse.Namespace) -> int:
    """Show the scan, or write its picture. See `glfft.commands.cli` for the exit code."""
    if arguments.file is None and (arguments.samples or arguments.rate is not None):
        raise UsageError("--samples and --rate describe a recording; name it with --file.")
    if arguments.file is not None and arguments.seed is not None:
        raise UsageError("--seed is for the synthetic signal; leave out --seed or --file.")
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
        from glfft.apps.channelizer.board import open_scan

        open_scan(settings, arguments.resolution, arguments.frames, arguments.trace)

    def draw(ctx: moderngl.Context) -> Any:
        from glfft.apps.channelizer.board import draw_scan

        return draw_scan(ctx, settings, arguments.resolution)

    return demo_picture.run(arguments, _NAME, show, draw)
