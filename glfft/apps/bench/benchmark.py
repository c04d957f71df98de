"""A run of the benchmark: for each case, everything that is compared is set up, checked, and timed in turn."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import moderngl
from tqdm import tqdm

import glfft
from glfft.apps.bench.frames import GLFFT, Frame, has_frames, measure_frames, without_frames
from glfft.apps.bench.own import OwnContender, float32, ocean, own, own_convolution, submission_us
from glfft.apps.bench.peers import Peers
from glfft.apps.bench.results import Report, Result
from glfft.apps.bench.suite import FLOAT32, NO_SUITE, Case, ConvolutionCase, OceanCase, Suite, affordable
from glfft.apps.bench.workload import SEED, Contender, ImagePair, Measured, Workload, copies, held
from glfft.errors import ContextError, LimitError, TimingError
from glfft.gl.context import is_software, state_of
from glfft.profiling.timing import ContextTimer, time_in_turn

_Contender = TypeVar("_Contender", bound=Contender)
_BAR = "{desc}{percentage:3.0f}%|{bar}| {elapsed}<{remaining}"


@dataclass
class Measuring:
    """Measures cases in the timer's context, one after the other. Slow calls get fewer samples."""

    timer: ContextTimer
    peers: Peers  # what to compare with
    samples: int  # how many samples to take
    tune: bool = False  # tune each plan before it is timed
    suite: Suite = NO_SUITE  # the suite whose cases they are, which says how much of each is measured
    round_done: Callable[[], object] = lambda: None  # called after each round of samples
    results: list[Result] = field(default_factory=list)  # in order
    skipped: list[str] = field(default_factory=list)  # a sentence on each thing that could not be measured

    def measure(self, case: Case, algorithms: Sequence[str]) -> None:
        """Time a case by each algorithm and library, a copy, and frames if asked for; what does not fit is skipped."""
        with ExitStack() as stack:
            try:
                case.request.check_limits(state_of(self.timer.ctx).device)
                images = held(stack, ImagePair(self.timer.ctx, Workload(case), case.storage))
                self._measure(case, images, algorithms, stack)
            except (LimitError, ContextError, TimingError) as error:
                self.skipped.append(f"{case.title}: {error}")
            except MemoryError:
                self.skipped.append(f"{case.title}: There is not enough memory.")

    def _measure(self, case: Case, images: ImagePair, algorithms: Sequence[str], stack: ExitStack) -> None:
        def set_up(make: Callable[[], _Contender]) -> list[_Contender]:
            """A contender, which is released with the stack; none, and a sentence, if it cannot do this case."""
            try:
                made = make()
            except LimitError as error:
                self.skipped.append(f"{case.title}: {error}")
                return []
            return [held(stack, made)]

        ours = [(name, each) for name in algorithms for each in set_up(partial(self._own, case, images, name))]
        if not ours:
            return
        libraries = [*self.peers.libraries]
        fits_textures = max(case.shape) <= state_of(self.timer.ctx).limits.texture_size
        if case.storage is not FLOAT32 and fits_textures and not isinstance(case, ConvolutionCase):
            libraries.append(float32(self.timer, self.tune))
        others = {peer.name: each for peer in libraries for each in set_up(partial(peer.set_up, images.workload))}
        # Checked or run before they are timed: this leaves random numbers in the target, where timing in place starts.
        compared = case.points <= self.suite.most_compared
        for _, each in ours if not compared else ():
            each.run()
        contenders: list[Contender] = [*(each for _, each in ours), *others.values()]
        checked = [(each, each.snr_db() if compared else None) for each in contenders]
        is_copied = not (self.suite.times_only or isinstance(case, ConvolutionCase | OceanCase))
        copying = copies(self.timer, images) if is_copied else []
        subjects = [subject for each in contenders for subject in each.ways.values()] + copying
        timings = iter(time_in_turn(subjects, self.samples, self.round_done))
        measured = {each: Measured({way: next(timings) for way in each.ways}, snr_db) for each, snr_db in checked}
        copy = min(timings, key=lambda timing: timing.microseconds, default=None)
        peers = {name: measured[each] for name, each in others.items()}
        frames = self._frames(case, images, {each: measured[each].snr_db for _, each in ours})
        for name, each in ours:
            python_us = None if self.suite.times_only else submission_us(self.timer.ctx, each.run)
            described = (each.bytes_moved, each.dispatches, each.floor_db, copy, each.setup, python_us)
            self.results.append(Result(case, name, measured[each], *described, peers, frames.get(each, {})))

    def _frames(
        self, case: Case, images: ImagePair, ours: Mapping[OwnContender, float | None]
    ) -> dict[OwnContender, dict[str, Measured]]:
        """The frame times of each of glfft's contenders, given with their signal-to-noise ratios, and of all peers."""
        if not self.peers.frames or not has_frames(case):
            return {}
        found, others = {}, {}
        for each, found_db in ours.items():
            found[each] = measure_frames(Frame(each.run, self.timer.ctx.finish), self.samples, found_db)
        for peer in self.peers.frames:
            try:
                with ExitStack() as stack:
                    frame = held(stack, peer.set_up(images))
                    frame.free_running(1)
                    found_db = images.target_snr_db("backward") if case.points <= self.suite.most_compared else None
                    others[peer.name] = measure_frames(frame, self.samples, found_db)
            except (LimitError, ContextError) as error:
                self.skipped.append(f"{case.title}: {error}")
        return {each: {GLFFT: measured, **others} for each, measured in found.items()}

    def _own(self, case: Case, images: ImagePair, algorithm: str) -> OwnContender:
        if isinstance(case, ConvolutionCase):
            return own_convolution(self.timer, images, algorithm)
        if isinstance(case, OceanCase):
            return ocean(self.timer, case, algorithm, self.tune)
        return own(self.timer, images, algorithm, self.tune)


def benchmark(ctx: moderngl.Context, cases: Sequence[Case], algorithms: Sequence[str], peers: Peers, samples: int, *,
              tune: bool = False, suite: Suite = NO_SUITE) -> Report:  # fmt: skip
    """Time cases by each algorithm and peer, to the end or a signal, and report. ShapeError or AlgorithmError."""
    kept, skipped = affordable(cases) if suite.title and is_software(ctx) else (cases, [])
    stop: BaseException | None = None
    with ContextTimer(ctx) as timer, tqdm(total=len(kept), leave=False, bar_format=_BAR) as bar:
        measuring = Measuring(timer, peers, samples, tune, suite, partial(bar.update, 1 / (samples + 1)))
        for done, case in enumerate(kept, 1):
            bar.set_description(case.title)
            try:
                measuring.measure(case, algorithms)
            except (KeyboardInterrupt, SystemExit) as raised:
                stop, left = raised, f"{len(kept) - done + 1} of {len(kept)} cases"
                skipped = [*skipped, f"The run was ended before {left} were measured."]
                break
            bar.update(done - bar.n)
    if peers.frames:
        skipped = [*skipped, *without_frames(kept)]
    setup = {
        "glfft": glfft.__version__,
        "opengl": ctx.info["GL_VERSION"],
        "transform": "complex, forward, orthonormal, twiddles from a table",
        "tuned": tune,
        "samples": samples,
        "seed": SEED,
        "suite": suite.title,
        "peers": peers.descriptions,
    }
    return Report(ctx.info["GL_RENDERER"], setup, measuring.results, [*skipped, *measuring.skipped], stop)
