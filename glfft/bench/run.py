"""Measuring a case: everything that is compared is set up, checked and then timed in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import TypeVar

import moderngl

from glfft.bench.cases import FLOAT32, Case, OceanCase
from glfft.bench.contender import Contender, Measured, Peer
from glfft.bench.images import Ends, check_limits, copies
from glfft.bench.ocean import Ocean
from glfft.bench.own import Float32, Own, OwnContender, submission_us
from glfft.bench.report import Result
from glfft.bench.workload import Workload
from glfft.errors import ContextError, LimitError, TimingError
from glfft.tuning.timing import ContextTimer, time_in_turn

_Contender = TypeVar("_Contender", bound=Contender)


class Run:
    """A benchmark in a context.

    Args:
        timer: of the context.
        peers: what to compare with.
        samples: most samples of a measurement.
        tune: tune each plan before it is timed.
        steps_done: called with the steps of the work that are done since the last call.

    Attributes:
        results: what was found so far, in order.
        skipped: sentences on what could not be measured.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        timer: ContextTimer,
        peers: Sequence[Peer],
        samples: int,
        tune: bool = False,
        steps_done: Callable[[int], object] = lambda count: None,
    ) -> None:
        self._ctx = ctx
        self._timer = timer
        self._peers = peers
        self._samples = samples
        self._tune = tune
        self._steps_done = steps_done
        self._steps_left = 0  # of the case at hand
        self.results: list[Result] = []
        self.skipped: list[str] = []

    def steps(self, case: Case, algorithms: Sequence[str]) -> int:
        """Steps of a case: setting up each contender, and rounds of samples."""
        return len(algorithms) + len(self._peers_for(case)) + self._samples

    def _step(self, count: int = 1) -> None:
        self._steps_left -= count
        self._steps_done(count)

    def _peers_for(self, case: Case) -> Sequence[Peer]:
        return self._peers if case.storage is FLOAT32 else (*self._peers, Float32(self._timer, self._tune))

    def measure(self, case: Case, algorithms: Sequence[str]) -> None:
        """Time the forward transform of a case by each algorithm and each peer, and a copy of the same textures.

        What does not fit the device is skipped.

        Raises:
            ShapeError, AlgorithmError: a shape or name that makes no sense.
        """
        self._steps_left = self.steps(case, algorithms)
        with ExitStack() as stack:
            try:
                check_limits(self._ctx, case)
                ends = Ends(self._ctx, Workload(case), case.storage)
                stack.callback(ends.release)
                self._measure(case, ends, algorithms, stack)
            except (LimitError, ContextError, TimingError) as error:
                self.skipped.append(f"{case.title}: {error}")
            except MemoryError:
                self.skipped.append(f"{case.title}: There is not enough memory.")
        self._step(self._steps_left)

    def _measure(self, case: Case, ends: Ends, algorithms: Sequence[str], stack: ExitStack) -> None:
        own = [self._set_up(case, lambda name=name: self._own(case, ends, name), stack) for name in algorithms]
        if not any(own):
            return
        peers = self._peers_for(case)
        others = [self._set_up(case, lambda peer=peer: peer.contender(ends.workload), stack) for peer in peers]
        contenders: list[Contender] = [each for each in (*own, *others) if each is not None]
        # Before the timing: it leaves random numbers in the target, which a transform in place begins with.
        checked = [each.snr_db() for each in contenders]
        ways = [each.ways for each in contenders]
        copying = [] if isinstance(case, OceanCase) else copies(self._timer, ends)
        subjects = [subject for each in ways for subject in each.values()] + copying
        timings = iter(time_in_turn(subjects, self._samples, self._step))
        measured = {
            id(contender): Measured({way: next(timings) for way in each}, snr)
            for contender, each, snr in zip(contenders, ways, checked, strict=True)
        }
        copy = min(timings, key=lambda timing: timing.microseconds, default=None)
        beside = {peer.name: measured[id(other)] for peer, other in zip(peers, others, strict=True) if other}
        for name, each in zip(algorithms, own, strict=True):
            if each is not None:
                python_us = submission_us(self._ctx, each.run)
                self.results.append(
                    Result(
                        case=case,
                        algorithm=name,
                        measured=measured[id(each)],
                        bytes_moved=each.bytes_moved,
                        dispatches=each.dispatches,
                        floor_db=each.floor_db,
                        copy=copy,
                        setup=each.setup,
                        python_us=python_us,
                        peers=beside,
                    )
                )

    def _own(self, case: Case, ends: Ends, algorithm: str) -> OwnContender:
        if isinstance(case, OceanCase):
            return Ocean(self._timer, case, algorithm, self._tune)
        return Own(self._timer, ends, algorithm, self._tune)

    def _set_up(self, case: Case, make: Callable[[], _Contender], stack: ExitStack) -> _Contender | None:
        """A contender, released with the stack; None, and a sentence, where it cannot do this case."""
        try:
            made = make()
        except LimitError as error:
            self.skipped.append(f"{case.title}: {error}")
            return None
        finally:
            self._step()
        stack.callback(made.release)
        return made
