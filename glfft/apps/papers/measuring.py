"""What chapters measure with: calls are made ready, checked, timed in turn and released."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from functools import cache, partial

from moderngl import Context

from glfft.apps.bench.own import own
from glfft.apps.bench.peers import open_peers
from glfft.apps.bench.suite import Case
from glfft.apps.bench.workload import OUT_OF_PLACE, Contender, ImagePair, Peer, Workload, held
from glfft.apps.papers.claims import LIBRARIES, Grid, Point, Spread
from glfft.errors import AccuracyError, ContextError, GlfftError, LimitError, MissingExtraError, TimingError
from glfft.gl.context import is_software, state_of
from glfft.gl.releasable import Keeper
from glfft.profiling.timing import ContextTimer, Subject, time_in_turn

Maker = Callable[[ExitStack], Subject]
"""Makes a call ready to be timed, checks its result, and has what it made released with the stack. Where there is
nothing to time, it raises LimitError, whose text may be a clause such as "it would need more", or ContextError."""

Progress = Callable[[str], object]
_PEER_FLOOR_DB = 100.0  # right transforms in float32 are above this at any length, and wrong ones far below it


def check_snr(name: str, found_db: float, floor_db: float) -> None:
    """Refuse to time what is wrong. Raises AccuracyError where the signal-to-noise ratio, in dB, is below the floor."""
    if found_db < floor_db:
        raise AccuracyError(f"{name} is wrong: {found_db:.1f} dB, not at least {floor_db:.1f}.")


class Run(Keeper):
    """A run of the report; `progress` gets a few words before each point. MissingExtraError without a library."""

    def __init__(self, ctx: Context, samples: int, quick: bool = False, progress: Progress = lambda text: None) -> None:
        self.ctx, self.progress = ctx, progress
        self.samples, self.quick = samples, quick  # of each time; at fewer points
        self.software = is_software(ctx)  # on a CPU chapters leave out what would take minutes
        self.peers: list[Peer] = []  # cuFFT, FFTW and scipy, as far as this machine has them
        for name in LIBRARIES:
            with suppress(GlfftError):
                self.peers += open_peers([name]).libraries
        if not self.peers:
            said = "--papers compares with libraries, and none is here; install one: pip install scipy."
            raise MissingExtraError(said)
        self.timer = self._own(ContextTimer(ctx))

    def time(self, points: Mapping[Point, Mapping[str, Maker]]) -> Grid:
        """Time the rows at each point in turn, a sample of each before the next. AccuracyError if one is wrong."""
        grid = Grid()
        for point, rows in points.items():
            self.progress(str(point))
            with ExitStack() as stack:
                subjects: dict[str, Subject] = {}
                for row, make in rows.items():
                    try:
                        subjects[row] = make(stack)
                    except (LimitError, ContextError) as reason:
                        grid.skipped[row, point] = _clause(str(reason))
                try:
                    timings = time_in_turn([*subjects.values()], self.samples)
                except TimingError as reason:
                    grid.skipped |= {(row, point): _clause(str(reason)) for row in subjects}
                    continue
            by_row = zip(subjects, timings, strict=True)
            grid.values |= {(row, point): Spread.of_samples(timing.taken) for row, timing in by_row}
        return grid

    def contenders(self, case: Case, peers: Iterable[Peer]) -> dict[str, Maker]:
        """What some peers make of a case, out of place, as rows by name."""
        workload = cache(lambda: Workload(case))

        def make(peer: Peer, stack: ExitStack) -> Subject:
            return _checked(peer.name, peer.set_up(workload()), _PEER_FLOOR_DB, stack)

        return {peer.name: partial(make, peer) for peer in peers}

    def plans(self, case: Case, algorithms: Iterable[str]) -> dict[str, Maker]:
        return {algorithm: self.plan(case, algorithm) for algorithm in algorithms}

    def plan(self, case: Case, algorithm: str, twiddles: str = "table") -> Maker:
        """The transform of a case by a plan of an algorithm, with a plan's `twiddles`, out of place, as a row."""

        def make(stack: ExitStack) -> Subject:
            case.request.check_limits(state_of(self.ctx).device)
            images = held(stack, ImagePair(self.ctx, Workload(case), case.storage))
            made = own(self.timer, images, algorithm, twiddles=twiddles)
            return _checked(algorithm, made, made.floor_db, stack)

        return make


def _checked(name: str, contender: Contender, floor_db: float, stack: ExitStack) -> Subject:
    check_snr(name, held(stack, contender).snr_db(), floor_db)
    return contender.ways[OUT_OF_PLACE]


def _clause(sentence: str) -> str:
    """A sentence as a clause: its first letter is small, unless it begins a name with more capitals, such as GLSL."""
    first, *_ = sentence.split(maxsplit=1) or [""]
    is_name = any(letter.isupper() for letter in first[1:])
    return (sentence if is_name else sentence[:1].lower() + sentence[1:]).removesuffix(".")
