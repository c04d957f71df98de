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
    """The search for one kind of pass: the kernel in use `before`, the fastest one found `after`, perhaps the same, and
    the microseconds of a pass of each, GPU time or on software renderers wall time; how many measurements there were,
    and how many kernels were `discarded`, as the driver refused them or their results differed.
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
        return self.entries[-1]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What wisdom keeps: what was found, and a kernel in use of another family, by times of the same search."""
        kept = [(self.before, self.before_microseconds)] * (self.after.family != self.before.family)
        kept.append((self.after, self.after_microseconds))
        return tuple(Entry.of(self.request, each.family, each.config, time) for each, time in kept)


@dataclass(frozen=True)
class TuningReport:
    """The results of tuning a plan.

    Attributes:
        passes: one for each kind of pass, shared by both directions. Empty if there is no choice of kernels.
        timer: the clock: "gpu timestamps" or "wall (software renderer)".
    """

    passes: tuple[TunedPass, ...]
    timer: str

    def to_text(self) -> str:
        """A table, a line for each kind of pass."""
        if not self.passes:
            return "There is nothing to tune: small pictures, some algorithms and timed convolutions leave no choice."
        return "\n".join(aligned([_HEADINGS, *map(_row, self.passes)]))

    __str__ = to_text


def keep(passes: Iterable[TunedPass]) -> None:
    """Add what was found to the user's wisdom, for plans that are made from now on."""
    store.remember(entry for each in passes for entry in each.entries)


def _row(each: TunedPass) -> tuple[str, ...]:
    request = each.request
    layers = "" if request.layers is None else f" x {request.layers} layers"
    return (
        f"{request.lines} {request.line_name} of {request.length}{layers}, {request.storage.name}",
        describe(each.before),
        _microseconds(each.before_microseconds),
        "the same" if each.after == each.before else describe(each.after),
        _microseconds(each.after_microseconds),
        f"{each.ratio:.2f}",
        str(each.measured),
    )


def _microseconds(time: float) -> str:
    """Four significant digits, or all before the point."""
    return f"{time:.4g}" if time < 9999.5 else f"{time:.0f}"


def describe(choice: Choice) -> str:
    """A kernel in one cell, with the name of its family."""
    return f"{choice.family}: {registry.family_of(choice.family).describe(choice.config)}"
