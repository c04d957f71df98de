"""The kernels of the sea's transforms, tuned while the sea is shown."""

from collections import deque
from collections.abc import Sequence

from glfft import Plan
from glfft.errors import GlfftError
from glfft.tuning.report import TunedPass
from glfft.tuning.tuner import BackgroundTuner

# Two measurements of one kernel differ by about as much.
_LEAST_GAIN = 1.02


class TuningWhileShown:
    """Tunes the plans of a sea one after the other; `message` tells the panel of progress and result, or is ""."""

    def __init__(self) -> None:
        self.message = ""
        self._plans: tuple[Plan, ...] = ()
        self._waiting: deque[Plan] = deque()
        self._tuner: BackgroundTuner | None = None
        self._found: list[TunedPass] = []

    def has_work(self, plans: Sequence[Plan]) -> bool:
        """Whether there is more to do for these plans."""
        return tuple(plans) != self._plans or bool(self._waiting) or self._tuner is not None

    def step(self, plans: Sequence[Plan], budget_ms: float) -> None:
        """Tune for about `budget_ms`; with other plans than at the last step, tuning begins anew."""
        if tuple(plans) != self._plans:
            self.release()
            self._plans = tuple(plans)
            self._waiting.extend(plans)
            self._found.clear()
            self.message = ""
        if not self.has_work(plans):
            return
        try:
            if self._tuner is None:
                self._tuner = self._waiting.popleft().background_tuner(quick=True)
            self._tuner.step(budget_ms)
        except GlfftError as error:
            self.release()
            self.message = f"Tuning has stopped: {error}"
            return
        if not self._tuner.done:
            finished = len(self._plans) - len(self._waiting) - 1
            self.message = f"tuning: {(finished + self._tuner.share_done) / len(self._plans):.0%}"
            return
        self._found += self._tuner.report.passes
        self._tuner = None
        if not self._waiting:
            self.message = self._conclusion()

    def release(self) -> None:
        """Stop, and free what tuning works on."""
        self._waiting.clear()
        if self._tuner is not None:
            self._tuner.release()
            self._tuner = None

    def _conclusion(self) -> str:
        if not self._found:
            return ""
        before, after = (
            sum(getattr(each, f"{which}_microseconds") for each in self._found) for which in ("before", "after")
        )
        if before < _LEAST_GAIN * after:
            return "tuned: nothing faster was found"
        return f"tuned: transforms {before / after:.2f} times as fast"
