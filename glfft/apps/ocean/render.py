"""The ocean without a window: the pictures of a shot, one after the other, into writers."""

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from typing import Any

import numpy as np
from moderngl import Buffer, Context
from tqdm import tqdm

from glfft.apps.ocean.buoys import channel
from glfft.apps.ocean.export import PictureWriter
from glfft.apps.ocean.quality import Size, choose
from glfft.apps.ocean.scene import SECTIONS, OceanScene, averaged, memory_for_picture
from glfft.apps.ocean.shot import Shot
from glfft.apps.picture_files import picture_from
from glfft.gl.releasable import release_all
from glfft.gl.timed import timed, waiting
from glfft.profiling.export import to_table
from glfft.profiling.profiler import Profiler, frame_of, saved_at_end
from glfft.sea.simulation import OceanSimulation, Progress


def write_pictures(
    writers: Sequence[PictureWriter], count: int, pictures_of: Callable[[Progress], Generator[np.ndarray, None, None]]
) -> int:
    """Give so many pictures to every writer; returns how many there are. `pictures_of` makes them, and is given a
    function to show how much of the foam is there. From the first picture on, Ctrl-C ends the work after the picture
    being drawn, and files are complete; a second one raises KeyboardInterrupt.
    """
    made = 0
    # An error while the sea is set up comes without a bar; a single picture has one on a terminal, if it takes 2 s.
    shown_for: dict[str, Any] = {"delay": 1e-3} if count > 1 else {"delay": 2.0, "leave": False, "disable": None}
    with ExitStack() as to_the_end, ExitStack() as stack:
        for writer in writers:
            writer.wanted = count
            stack.enter_context(writer.writing())
        bar = stack.enter_context(tqdm(total=count, unit="frame", **shown_for))

        def show_foam(share: float) -> None:
            bar.set_description(f"foam {share:.0%}" if share < 1 else "", refresh=False)
            bar.update(0)

        stopped = threading.Event()
        for made, picture in enumerate(stack.enter_context(closing(pictures_of(show_foam))), 1):
            for writer in writers:
                # A single picture beside a film is its first frame.
                if made == 1 or writer.takes_many:
                    writer.add(picture)
            bar.update()
            if made == 1:
                to_the_end.enter_context(_interrupt_sets(stopped))
            if stopped.is_set():
                break
    return made


def pictures(
    ctx: Context, shot: Shot, size: Size, profiler: Profiler | None = None, foam_progress: Progress = None
) -> Generator[np.ndarray, None, None]:
    """The shot's pictures, [height, width, 3] uint8, top row first; LimitError or ContextError if too large."""
    count = shot.frames or 1
    shown, size = size, (size[0] * shot.supersampling, size[1] * shot.supersampling)

    def read(buffer: Buffer) -> np.ndarray:
        with waiting(ctx, "readback"):
            return averaged(picture_from(buffer.read(), size), shown)

    with ExitStack() as stack:
        simulation = stack.enter_context(OceanSimulation(ctx, shot.settings, algorithm=shot.algorithm))
        quality = replace(choose(ctx, shot.quality, in_window=False), diffraction=shot.diffraction)
        scene = stack.enter_context(OceanScene(ctx, quality.drawn(size), shot.weather(), quality))
        scene.buoys.anchors = channel(shot.buoys, shot.first_camera())
        with memory_for_picture(ctx, size):
            target = ctx.simple_framebuffer(size, components=3)
            buffers = [ctx.buffer(reserve=3 * size[0] * size[1]) for _ in range(min(2, count))]
            stack.callback(release_all, (target, *buffers))
        scene.prepare(simulation, shot.camera())
        on_the_way: deque[Buffer] = deque()
        if count > 1:
            # The foam of the time before is built up here, so that the first frame takes no longer than the others.
            if shot.frames_a_loop:
                simulation.settle(shot.time, shot.frames_a_loop, foam_progress)
            else:
                simulation.update(shot.time, foam_progress=foam_progress)
        for frame in range(count):
            time = shot.time_of(frame)
            with frame_of(profiler):
                with timed(profiler, "simulation"):
                    simulation.update(time, profiler=profiler, foam_progress=foam_progress)
                scene.draw(simulation, shot.camera(frame), time, target, profiler, size)
            on_the_way.append(buffers[frame % len(buffers)])
            target.read_into(on_the_way[-1], components=3, alignment=1)
            if len(on_the_way) == len(buffers):
                yield read(on_the_way.popleft())
        yield from map(read, on_the_way)


@contextmanager
def _interrupt_sets(stopped: threading.Event) -> Iterator[None]:
    """The first Ctrl-C in this block sets the event, and says so; a second one raises as usual."""
    before = signal.getsignal(signal.SIGINT)
    # Some programs have it ignored, and other threads may not handle it.
    handled = callable(before) and threading.current_thread() is threading.main_thread()

    def note(_number: int, _frame: object) -> None:
        stopped.set()
        signal.signal(signal.SIGINT, before)
        with suppress(OSError, ValueError, AttributeError):
            # Not print: the signal may have come in the middle of one.
            os.write(sys.stderr.fileno(), b"\nStopping after this picture; Ctrl-C again stops at once.\n")

    with ExitStack() as stack:
        if handled:
            stack.callback(signal.signal, signal.SIGINT, before)
            signal.signal(signal.SIGINT, note)
        yield


@contextmanager
def times_saved(profiler: Profiler | None, profile: str | None, trace: str | None) -> Iterator[None]:
    """Write the frame times as `saved_at_end` does, a profile with a table. Raises OutputError where it cannot."""
    with saved_at_end(profiler, profile, trace):
        yield
        if profiler and profile:
            profiler.drain()
            print(to_table(profiler.statistics(), SECTIONS))
