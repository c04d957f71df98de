"""`glfft demo NAME`: demos in a window or, without one, as a picture."""

import argparse
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from glfft.apps.ofdm.link.settings import CHANNELS, HIGHEST_DB, LOWEST_DB, WIDTHS, LinkSettings
from glfft.commands import arguments as common
from glfft.errors import UsageError
from glfft.files import check_writable, make_folder

Demo = tuple[str, Any]  # the module of a `Board`, and its settings

_RESOLUTION = (1280, 720)
_LEAST_SIDE, _LARGEST_SIDE = 64, 16384
_LINK = LinkSettings()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    demos = parser.add_subparsers(title="demos", metavar="NAME", dest="demo", required=True)
    for name, (summary, add_options, _) in _DEMOS.items():
        options = demos.add_parser(name, help=summary, description=f"{summary[:1].upper()}{summary[1:]}.")
        add_options(options)
        add = common.adder(options, "picture")
        pixels = "pixels (default: {}x{})".format(*_RESOLUTION)
        add("--resolution WxH", common.resolution(_LEAST_SIDE, _LARGEST_SIDE), pixels, default=_RESOLUTION)
        add("--frames N", common.whole_number(least=1), "close the window after N frames")
        common.add_trace(add)
        add("--headless", None, "write a picture and open no window")
        output = f"write a picture to this file and open no window (default when headless: out/{name}.png)"
        add("-o --output FILE.png", common.file_name, output)


def run(arguments: argparse.Namespace) -> None:
    from glfft.ui.window import has_display

    name, size, trace = arguments.demo, arguments.resolution, arguments.trace
    _, _, ready = _DEMOS[name]
    module, settings = ready(arguments)
    if trace:
        check_writable(trace)
    drawn = arguments.output or arguments.headless
    if arguments.frames is not None and (drawn or not has_display()):
        raise UsageError("--frames closes a window, and no window opens here; leave it out.")
    if not (drawn or not common.display_or_say_so(f"glfft demo {name}", "a picture")):
        from glfft.apps.plots import open_board

        open_board(f"glfft demo {name}", size, partial(import_module(module).Board, settings), arguments.frames, trace)
        return
    if arguments.output and Path(arguments.output).suffix.lower() != ".png":
        raise UsageError(f"The picture is a PNG file and --output names {arguments.output}; name a .png.")
    path = arguments.output or make_folder("out") / f"{name}.png"
    check_writable(path)
    from glfft.apps.picture_files import save_picture
    from glfft.apps.plots import draw_board

    with common.headless_context() as ctx:
        save_picture(path, draw_board(ctx, size, partial(import_module(module).Board, settings), trace))
    print(path)


def _add_link(parser: argparse.ArgumentParser) -> None:
    add = common.adder(parser, "link")
    add("--channel", CHANNELS, "direct path alone, or with five echoes", default=_LINK.channel)
    noise, decibels = "bit energy over noise density, dB", common.between(LOWEST_DB, HIGHEST_DB, "dB")
    add("--ebn0 DB", decibels, noise, dest="bit_energy_db", default=_LINK.bit_energy_db)
    add("--samples", WIDTHS, "storage of samples: floats, or integers of 8 to 2 bits", default=_LINK.samples)


def _link(arguments: argparse.Namespace) -> Demo:
    return "glfft.apps.ofdm.board", LinkSettings(**common.given(arguments, LinkSettings))


def _add_scan(parser: argparse.ArgumentParser) -> None:
    add = common.adder(parser, "signal")
    recording = "SigMF recording or raw samples, as for glfft channelize (default: synthetic signal)"
    add("--file FILE", common.file_name, recording)
    add("--samples", common.SAMPLES, "sample type of a raw file whose name does not tell")
    add("--rate HZ", common.number, "samples per second (default: as recorded)")
    common.add_bank(parser, 256, "1 to M (default: half of M)")


def _scan(arguments: argparse.Namespace) -> Demo:
    if arguments.file is None and (arguments.samples or arguments.rate is not None):
        raise UsageError("--samples and --rate describe a recording; name it with --file.")
    from glfft.apps.channelizer.scan import ScanSettings
    from glfft.channelizer.recordings import open_recording

    recording = arguments.file and open_recording(arguments.file, arguments.samples, arguments.rate)
    settings = ScanSettings(recording=recording, **common.given(arguments, ScanSettings))
    _ = settings.bank  # refused before a window opens
    return "glfft.apps.channelizer.board", settings


# What each does; what adds its own options; what checks them.
_DEMOS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], Demo]]] = {
    "ofdm": ("receive WirelessHD symbols: constellation, spectrum, errors, throughput", _add_link, _link),
    "channelizer": ("divide a wideband signal into channels, as a live waterfall", _add_scan, _scan),
}
