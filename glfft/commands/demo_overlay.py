"""`glfft demo overlay`: cubes under the profiler's overlay, in a window or as a picture."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from glfft.commands import arguments as common
from glfft.commands import demo_picture

if TYPE_CHECKING:
    import moderngl

_NAME = "overlay"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `glfft demo overlay`."""
    common.adder(parser, "scene")("--cubes N", common.whole_number(least=1), "number of cubes", default=420)
    demo_picture.add_arguments(parser, _NAME)


def run(arguments: argparse.Namespace) -> int:
    """Show the cubes, or write their picture. See `glfft.commands.cli` for the exit code."""
    from glfft.apps import cubes

    def draw(ctx: moderngl.Context) -> Any:
        return cubes.draw_picture(ctx, arguments.resolution, arguments.cubes, arguments.trace)

    def show() -> None:
        cubes.show(arguments.resolution, arguments.cubes, arguments.frames, arguments.trace)

    return demo_picture.run(arguments, _NAME, show, draw, picture_has_frames=True)
