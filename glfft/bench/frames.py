"""Frame time: how long a program takes for a frame in which one texture is transformed into another, by the wall clock.

The GPU time of a transform leaves out what the program does and waits for around it: its calls, and the hand-over of
textures to another library or to the CPU. A frame here has all of that, and nothing else. It is timed in two ways:

- free-running: many frames are queued one after the other, with one finish at the end; time over the number of frames.
- with a finish after each frame: the program waits for every result.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import moderngl
import numpy as np

from glfft.bench.cases import FLOAT32, Case, OceanCase
from glfft.bench.contender import Measured
from glfft.bench.images import ImagePair
from glfft.tuning.timing import time_in_turn

# The two ways a frame is timed.
FREE_RUNNING = "free_running"
FINISH_EACH = "finish_each"

# glfft's own name among the frames of a result.
GLFFT = "glfft"

_TIMER = "wall"

# A GPU that was idle runs at a lower clock: so long it works before the first sample.
_WARM_UP_SECONDS = 0.1
_SAMPLE_SECONDS = 20e-3
_MOST_FRAMES = 2000


class Frame(Protocol):
    """One texture transformed into another, set up once and run frame by frame."""

    def run(self) -> None:
        """Do or queue the work of one frame."""

    def finish(self) -> None:
        """Wait until all of it is done."""

    def snr_db(self) -> float:
        """Run a frame; the signal-to-noise ratio of what is in the target, against float64 numpy."""
        ...

    def release(self) -> None:
        """Free what belongs to the frame alone."""


class FramePeer(Protocol):
    """A way to transform textures without glfft."""

    name: str

    @property
    def description(self) -> str:
        """Version and settings, for the record."""
        ...

    def frame(self, images: ImagePair) -> Frame:
        """Set up frames that transform the source image into the target image, forward and unscaled.

        Raises:
            LimitError: it cannot transform them.
            ContextError: its device cannot use the images.
        """
        ...


class OwnFrame:
    """A frame in which glfft transforms.

    Args:
        ctx: the context.
        transform: queues the transform.
        snr_db: of its result, measured before.
    """

    def __init__(self, ctx: moderngl.Context, transform: Callable[[], object], snr_db: float) -> None:
        self._ctx = ctx
        self._transform = transform
        self._snr_db = snr_db

    def run(self) -> None:
        self._transform()

    def finish(self) -> None:
        self._ctx.finish()

    def snr_db(self) -> float:
        return self._snr_db

    def release(self) -> None:
        """The plan belongs to the contender whose frame this is."""


class NumpyRoundTrip:
    """Read the source texture, transform it in numpy, write the target texture."""

    name = "numpy-round-trip"

    @property
    def description(self) -> str:
        return f"texture.read, numpy.fft {np.__version__}, texture.write"

    def frame(self, images: ImagePair) -> Frame:
        return _RoundTrip(images)


class _RoundTrip:
    def __init__(self, images: ImagePair) -> None:
        self._images = images

    def run(self) -> None:
        case = self._images.case
        source: Any = self._images.source
        numbers = np.frombuffer(source.read(), np.complex64).reshape(case.shape)
        spectrum = np.fft.fftn(numbers, axes=case.axes)
        self._images.target.write(spectrum.astype(np.complex64, copy=False))

    def finish(self) -> None:
        self._images.ctx.finish()

    def snr_db(self) -> float:
        self.run()
        return self._images.target_snr_db("backward")

    def release(self) -> None:
        """Nothing is kept."""


def has_frames(case: Case) -> bool:
    """Whether frames of a case are measured: of a single picture in an rg32f texture."""
    return case.layers is None and case.storage is FLOAT32 and not isinstance(case, OceanCase)


def without_frames(cases: Sequence[Case]) -> list[str]:
    """A sentence on the cases that have no frames, if there are any."""
    left_out = [case.title for case in cases if not has_frames(case)]
    sentence = f"Frame times are only measured for single pictures in {FLOAT32.name} textures, and not for: "
    return [sentence + ", ".join(left_out) + "."] if left_out else []


def measure_frames(frame: Frame, samples: int) -> Measured:
    """Time frames in both ways.

    They are timed alone, not in turn with another's: while a frame waits for the CPU the GPU is idle and lowers its
    clock, and the next frame timed would pay for it.

    Args:
        frame: what to time.
        samples: most samples of each way.
    """
    snr_db = frame.snr_db()
    subjects = {FREE_RUNNING: _Frames(frame, lambda: None), FINISH_EACH: _Frames(frame, frame.finish)}
    timings = [time_in_turn([subject], samples)[0] for subject in subjects.values()]
    return Measured(dict(zip(subjects, timings, strict=True)), snr_db)


class _Frames:
    """Many frames in a row, as a subject to time."""

    timer = _TIMER

    def __init__(self, frame: Frame, after_each: Callable[[], object]) -> None:
        self._frame = frame
        self._after_each = after_each
        self._count = 1

    def prepare(self) -> None:
        self._run(1)  # the first may set things up
        count, spent = 1, 0.0
        while True:
            start = time.perf_counter()
            self._run(count)
            seconds = time.perf_counter() - start
            spent += seconds
            if spent > _WARM_UP_SECONDS:
                break
            count *= 2
        self._count = int(np.clip(_SAMPLE_SECONDS * count / seconds, 1, _MOST_FRAMES))

    def sample(self) -> float:
        """Microseconds a frame."""
        start = time.perf_counter_ns()
        self._run(self._count)
        return (time.perf_counter_ns() - start) / 1e3 / self._count

    def _run(self, count: int) -> None:
        for _ in range(count):
            self._frame.run()
            self._after_each()
        self._frame.finish()
