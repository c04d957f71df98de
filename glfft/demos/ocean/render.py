"""The ocean without a window: pictures of a shot, one after the other, into writers."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import ExitStack, nullcontext

import moderngl
import numpy as np
from tqdm import tqdm

from glfft.demos.ocean.export import PictureWriter
from glfft.demos.ocean.scene import OceanScene, read_picture
from glfft.demos.ocean.shot import Shot
from glfft.demos.ocean.simulation import OceanSimulation
from glfft.gl.context import check_errors, is_software
from glfft.profiling.profiler import Profiler


def render(
    ctx: moderngl.Context,
    shot: Shot,
    size: tuple[int, int],
    writers: Sequence[PictureWriter],
    profiler: Profiler | None = None,
) -> None:
    """Draw a shot's pictures and give each to every writer.

    Args:
        ctx: a headless context.
        shot: with a count of frames.
        size: width and height in pixels.
        writers: not yet entered; completed when this returns, undone when it raises.
        profiler: given, records every frame.
    """
    count = shot.frames or 1
    shown = pictures(ctx, shot, size, profiler)
    # What can fail while the sea is set up fails here, before there is a bar or a file.
    first = next(shown)
    with ExitStack() as stack:
        stack.callback(shown.close)
        for writer in writers:
            stack.enter_context(writer)
        for writer in writers:
            writer.add(first)
        # A single picture beside a film is its first frame.
        onward = [writer for writer in writers if writer.takes_many]
        for picture in tqdm(shown, total=count, initial=1, unit="frame", disable=count < 2):
            for writer in onward:
                writer.add(picture)


def pictures(
    ctx: moderngl.Context, shot: Shot, size: tuple[int, int], profiler: Profiler | None = None
) -> Generator[np.ndarray, None, None]:
    """The shot's pictures, [height, width, 3] uint8 each, top row first.

    Raises:
        LimitError: the picture or the sea is larger than the device's textures.
    """
    with ExitStack() as stack:
        simulation = stack.enter_context(OceanSimulation(ctx, shot.settings, algorithm=shot.algorithm))
        # Four samples a pixel make a software renderer three times slower: it spends them on single pictures only.
        samples = 0 if is_software(ctx) and (shot.frames or 1) > 1 else 4
        scene = OceanScene(ctx, size, shot.weather(), samples)
        stack.callback(scene.release)
        target = ctx.simple_framebuffer(size, components=3)
        stack.callback(target.release)
        check_errors(ctx, "making the ocean")
        for frame in range(shot.frames or 1):
            time = shot.time_of(frame)
            with profiler.frame() if profiler else nullcontext():
                simulation.update(time, profiler=profiler)
                scene.draw(simulation, shot.camera(frame), time, target, profiler)
            yield read_picture(target)
