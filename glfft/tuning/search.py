"""Which kernel to measure next, and which one has won."""

from collections import deque
from dataclasses import dataclass

from glfft.algorithms import registry
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import Choice
from glfft.wisdom import lookup

_MOST, _MOST_QUICK = 24, 8  # candidates of a family that are measured
_CLIMBERS, _MOST_NEIGHBOURS = 2, 40  # the neighbours of so many of the best so far are measured too
_FINALISTS = 3
# A kernel replaces the one in use only if it is faster by this much, by which two measurements of one differ.
_GAIN, _GAIN_SOFTWARE = 0.01, 0.03


@dataclass(frozen=True)
class Trial:
    choice: Choice  # the kernel
    thorough: bool = False  # whether it is among the best, and gets more samples


class Search:
    """Asks for measurements of kernels for a request: candidates, then neighbours of the two best for as long as these
    get better, and the best three once more and thoroughly; quick, fewer candidates and no neighbours. A result is a
    ratio to the time of the kernel in use, the reference. All families are searched that the algorithm allows.
    """

    def __init__(self, request: AxisRequest, quick: bool = False) -> None:
        _, chosen = lookup.choose(request)[0]
        self.reference = Choice(chosen.family, chosen.config)
        self._request = request
        self._waiting = deque(each for each in candidates(request, quick) if each != self.reference)
        self._seen = {self.reference, *self._waiting}
        self._ratios: dict[Choice, float] = {self.reference: 1.0}
        self._climbed: set[Choice] = set()
        self._neighbours_left = 0 if quick else _MOST_NEIGHBOURS
        self._finals: deque[Choice] | None = None
        self._confirmed: dict[Choice, float] = {}
        self._most = len(self._waiting) + self._neighbours_left + _FINALISTS
        self.measured = self.discarded = 0

    def ask(self) -> Trial | None:
        """What to measure next, or None at the end."""
        if not self._waiting and self._finals is None:
            self._climb()
        if self._waiting:
            return Trial(self._waiting[0])
        if self._finals is None:
            faster = [kernel for kernel, ratio in self._ratios.items() if ratio < 1.0]
            self._finals = deque(sorted(faster, key=self._ratios.__getitem__)[:_FINALISTS])
        return Trial(self._finals[0], thorough=True) if self._finals else None

    def tell(self, trial: Trial, ratio: float | None) -> None:
        """Give the result of a trial: its time as a multiple of the reference's, or None if the kernel is of no use."""
        self.measured += 1
        results = self._confirmed if trial.thorough else self._ratios
        waiting = self._finals if trial.thorough else self._waiting
        assert waiting is not None
        told = waiting.popleft()
        assert told == trial.choice
        if ratio is None:
            self.discarded += 1
        else:
            results[told] = ratio

    @property
    def share_done(self) -> float:
        """How much is done, from 0 to 1; it may jump to the end."""
        return min(self.measured / self._most, 1.0)

    @property
    def winner(self) -> tuple[Choice, float]:
        """The kernel to use and its ratio to the reference, once there is nothing more to ask."""
        best = min(self._confirmed, key=self._confirmed.__getitem__, default=self.reference)
        ratio = self._confirmed.get(best, 1.0)
        gain = _GAIN_SOFTWARE if self._request.device.software else _GAIN
        return (best, ratio) if ratio <= 1.0 - gain else (self.reference, 1.0)

    def _climb(self) -> None:
        for choice in sorted(self._ratios, key=self._ratios.__getitem__)[:_CLIMBERS]:
            if choice not in self._climbed and self._neighbours_left > 0:
                self._climbed.add(choice)
                configs = registry.family_of(choice.family).neighbours(choice.config, self._request)
                near = [Choice(choice.family, config) for config in configs]
                new = [each for each in near if each not in self._seen][: self._neighbours_left]
                self._neighbours_left -= len(new)
                self._seen.update(new)
                self._waiting.extend(new)


def candidates(request: AxisRequest, quick: bool = False) -> list[Choice]:
    """The kernels to measure: the predicted one, the one in use, winners of other searches, what families propose."""
    most, (_, in_use) = _MOST_QUICK if quick else _MOST, lookup.choose(request)[0]
    found: dict[Choice, None] = {}
    for family in registry.families_for(request):
        predicted = lookup.predicted(request, family)
        configs = [] if predicted is None else [predicted.config]
        won = (entry.config for entry in lookup.winners(request, family))
        configs += [config for config in won if family.is_worth_it(config, request)]
        configs[1:1] = [in_use.config] * (in_use.family == family.name)
        configs += family.candidates(request, most)
        found |= dict.fromkeys(Choice(family.name, config) for config in list(dict.fromkeys(configs))[:most])
    return list(found)
