"""Frame time: the wall time that a program needs for a frame in which one texture is transformed into another, with the
calls of the program, and with what it costs to hand textures to another library or the CPU.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import moderngl
import numpy as np

from glfft.apps.bench.suite import FLOAT32, Case, ConvolutionCase, OceanCase
from glfft.apps.bench.workload import ImagePair, Measured, Peer
from glfft.profiling.timing import WARM_UP_SECONDS, WallCall, time_in_turn

# Many frames are queued, with one finish at the end, and the time is divided; or the program waits for each result.
FREE_RUNNING, FINISH_EACH = "free_running", "finish_each"

GLFFT = "glfft"  # glfft's own name among the frames of a result

_SAMPLE_SECONDS = 20e-3


@dataclass(frozen=True)
class Frame:
    """One texture transformed into another, set up once and run frame by frame."""

    run: Callable[[], object]  # does the work of one frame, or queues it
    finish: Callable[[], object]  # waits until the work of all frames is done
    release: Callable[[], object] = lambda: None  # frees everything but the images

    def free_running(self, count: int) -> None:
        for _ in range(count):
            self.run()
        self.finish()

    def finish_each(self, count: int) -> None:
        for _ in range(count):
            self.free_running(1)


def numpy_round_trip() -> Peer[ImagePair, Frame]:
    def run(images: ImagePair) -> None:
        assert not isinstance(images.source, moderngl.Buffer)
        numbers = np.frombuffer(images.source.read(), np.complex64).reshape(images.case.shape)
        images.target.write(np.fft.fftn(numbers, axes=images.case.axes).astype(np.complex64, copy=False))

    description = f"texture.read, numpy.fft {np.__version__}, texture.write"
    return Peer("numpy-round-trip", description, lambda images: Frame(partial(run, images), images.ctx.finish))


def has_frames(case: Case) -> bool:
    """Whether frames of a case are measured: of a single picture in an rg32f texture."""
    plain = not case.real and not case.cosine and not isinstance(case, ConvolutionCase | OceanCase)
    return plain and case.layers is None and len(case.shape) == 2 and case.storage is FLOAT32


def without_frames(cases: Sequence[Case]) -> list[str]:
    """A sentence on the cases that have no frames, if there are any."""
    left_out = [case.title for case in cases if not has_frames(case)]
    sentence = f"Frame times are only measured for single pictures in {FLOAT32.name} textures, and not for: "
    return [sentence + ", ".join(left_out) + "."] if left_out else []


def measure_frames(frame: Frame, samples: int, snr_db: float | None) -> Measured:
    """Time frames both ways, one kind at a time: a round trip through the CPU idles the GPU and lowers its clock."""
    ways = {FREE_RUNNING: frame.free_running, FINISH_EACH: frame.finish_each}
    return Measured({way: time_in_turn([Runs(run)], samples)[0] for way, run in ways.items()}, snr_db)


class Runs(WallCall):
    """A call that does something so many times and waits for the end: the mean time of one, by the wall clock."""

    def __init__(self, run: Callable[[int], object], timer: str = "wall", most: int = 2000) -> None:
        super().__init__(lambda: run(self._things), timer)
        self._most = most

    def prepare(self) -> None:
        self._once()  # the first may set things up
        spent = elapsed = 0.0
        while spent <= WARM_UP_SECONDS * 1e6:
            self._things = min(2 * self._things, self._most) if spent else 1
            elapsed = self._once()
            spent += elapsed
        self._things = int(np.clip(_SAMPLE_SECONDS * 1e6 * self._things / elapsed, 1, self._most))
