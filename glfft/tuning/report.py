"""The results of tuning, as data and as a table."""

from collections.abc import Iterable
from dataclasses import dataclass

from glfft.algorithms import registry
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import Choice
from glfft.engine.explain import aligned
from glfft.wisdom import store
from glfft.wisdom.entries import Entry

_HEADINGS = ("lines", "before", "us", "after", "us", "times as fast", "measured")


@dataclass(frozen=True)
class TunedPass:
    """The search for one kind of pass.

    Attributes:
        request: its lines.
        before: the kernel that was in use.
        after: the fastest kernel found, which may be the same.
        before_microseconds: time of a pass with `before`: GPU time, or wall time on software renderers.
        after_microseconds: time of a pass with `after`.
        measured: number of measurements.
        discarded: kernels that the driver refused, or whose results differed from the kernel in use.
    """

    request: AxisRequest
    before: Choice
    after: Choice
    before_microseconds: float
    after_microseconds: float
    measured: int
    discarded: int

    @property
    def ratio(self) -> float:
        """How many times as fast as before."""
        return self.before_microseconds / self.after_microseconds

    @property
    def entry(self) -> Entry:
        """What wisdom keeps of it."""
        return Entry.of(self.request, self.after.family, self.after.config, self.after_microseconds)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What wisdom keeps: the entry and, where the kernel in use before is of another family, that one's new time
        too. The two are then compared by times of the same search.
        """
        if self.after.family == self.before.family:
            return (self.entry,)
        return Entry.of(self.request, self.before.family, self.before.config, self.before_microseconds), self.entry


@dataclass(frozen=True)
class TuningReport:
    """The results of tuning a plan.

    Attributes:
        passes: one for each kind of pass, shared by both directions. Empty if the plan's algorithm has no choice of
            kernels.
        timer: the clock: "gpu timestamps" or "wall (software renderer)".
    """

    passes: tuple[TunedPass, ...]
    timer: str

    def to_text(self) -> str:
        """A table, a line for each kind of pass."""
        return table(self.passes)

    __str__ = to_text


def keep(passes: Iterable[TunedPass]) -> None:
    """Add what was found to the user's wisdom, for plans that are made from now on."""
    store.remember(entry for each in passes for entry in each.entries)


def table(passes: tuple[TunedPass, ...]) -> str:
    """A table of passes before and after, a line for each."""
    if not passes:
        return "There is nothing to tune: the algorithm leaves no choice of kernel."
    return "\n".join(aligned([_HEADINGS, *map(_row, passes)]))


def _row(each: TunedPass) -> tuple[str, ...]:
    request = each.request
    layers = "" if request.layers is None else f" x {request.layers} layers"
    return (
        f"{request.lines} {request.line_name} of {request.length}{layers}, {request.storage.name}",
        describe(each.before),
        f"{each.before_microseconds:.4g}",
        "the same" if each.after == each.before else describe(each.after),
        f"{each.after_microseconds:.4g}",
        f"{each.ratio:.2f}",
        str(each.measured),
    )


def describe(choice: Choice) -> str:
    """A kernel in one cell, with the name of its family where there are several."""
    words = registry.family_of(choice.family).describe(choice.config)
    return f"{choice.family}: {words}" if len(registry.tunable_families()) > 1 else words
