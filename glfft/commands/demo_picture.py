"""What the demos of `glfft demo` share: a window, or without one a picture."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glfft.commands import arguments as common
from glfft.errors import UsageError
from glfft.files import check_writable, make_folder

if TYPE_CHECKING:
    import moderngl

_RESOLUTION = (1280, 720)
_LEAST_SIDE, _LARGEST_SIDE = 64, 16384


def add_arguments(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the options of a demo's window and picture."""
    add = common.adder(parser, "picture")
    pixels = "pixels (default: {}x{})".format(*_RESOLUTION)
    add("--resolution WxH", common.resolution(_LEAST_SIDE, _LARGEST_SIDE), pixels, default=_RESOLUTION)
    add("--frames N", common.whole_number(least=1), "close the window after N frames")
    common.add_trace(add)
    add("--headless", None, "write a picture and open no window")
    output = f"write a picture to this file and open no window (default when headless: out/{name}.png)"
    add("-o --output FILE.png", common.file_name, output)


def run(
    arguments: argparse.Namespace,
    name: str,
    show: Callable[[], object],
    draw: Callable[[moderngl.Context], Any],
    picture_has_frames: bool = False,
) -> int:
    """Show a demo, or write its picture; see `glfft.commands.cli` for the exit code.

    `show` opens its window until it is closed, and `draw` draws its picture: [height, width, 3], the top row first,
    after frames of which there is a timeline or not.
    """
    if arguments.trace:
        check_writable(arguments.trace)
    if not (arguments.output or arguments.headless or not common.display_or_say_so(f"glfft demo {name}", "a picture")):
        show()
        return 0
    if arguments.frames is not None:
        raise UsageError("--frames has no effect here: there is no window.")
    if arguments.trace and not picture_has_frames:
        raise UsageError("--trace has no effect here: there is no window.")
    if arguments.output and Path(arguments.output).suffix.lower() != ".png":
        raise UsageError(f"The picture is a PNG file and --output names {arguments.output}; name a .png.")
    path = arguments.output or make_folder("out") / f"{name}.png"
    check_writable(path)
    from glfft.apps.picture_files import save_picture

    with common.headless_context() as ctx:
        save_picture(path, draw(ctx))
    print(path)
    return 0
