"""The transforms of Ambuluri, Implementations of the FFT algorithm on GPU, 2012: for study."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from glfft.algorithms import work_groups
from glfft.algorithms.axis_request import AxisRequest, FourStepPart
from glfft.algorithms.family import Family
from glfft.algorithms.lengths import is_power_of_two, log2
from glfft.algorithms.passes import Choice, PassSpec
from glfft.algorithms.study import word_group_passes as kernels
from glfft.algorithms.study.word_group_passes import PLACES, POINTS, WordGroupConfig, WordGroupKernel


@dataclass(eq=False)
class WordGroups(Family[WordGroupConfig]):
    """Groups of words that go through several stages between synchronisations, a line to a work group."""

    name: str
    summary: str
    words: int
    constant_geometry: bool = False  # the same indices at every stage
    radix_22: bool = False  # every second stage multiplies by 1 or -i only

    tunable = True
    study = True
    config_type = WordGroupConfig

    def supports(self, request: AxisRequest) -> str | None:
        if self.radix_22 and not kernels.is_power_of_four(request.length):
            return f"a length that is a power of four, such as {_nearest_power_of_four(request.length)}"
        return (
            work_groups.why_no_power_of_two(request)
            or self._kernel(self.parts(request)[-1], WordGroupConfig()).why_not()
            or work_groups.why_too_many(request, kernels.whole_lines(request))
        )

    def passes(self, request: AxisRequest, config: WordGroupConfig) -> list[PassSpec]:
        return [self._kernel(request, config).spec(self.name)]

    def default(self, request: AxisRequest) -> WordGroupConfig:
        return WordGroupConfig()

    def fits(self, config: WordGroupConfig, request: AxisRequest) -> bool:
        return self.why_unfit(config, request) is None

    def why_unfit(self, config: WordGroupConfig, request: AxisRequest) -> str | None:
        """What a kernel would need that the device or one of `parts` has not, to complete "it would need"."""
        return self.supports(request) or self._kernel(request, config).why_not()

    def candidates(self, request: AxisRequest, most: int) -> list[WordGroupConfig]:
        threads = [2**exponent for exponent in range(log2(2 * self.words) + 1)]
        every = itertools.product(POINTS, PLACES, threads)
        configs = (WordGroupConfig(each, place, points) for points, place, each in every)
        return [config for config in configs if self.fits(config, request)][:most]

    def neighbours(self, config: WordGroupConfig, request: AxisRequest) -> list[WordGroupConfig]:
        changed = [replace(config, threads=threads) for threads in (config.threads // 2, 2 * config.threads) if threads]
        changed += [replace(config, twiddles=place) for place in PLACES if place != config.twiddles]
        changed += [replace(config, points=points) for points in POINTS if points != config.points]
        changed.append(replace(config, balanced=not config.balanced))
        return [each for each in changed if self.fits(each, request)]

    def describe(self, config: WordGroupConfig) -> str:
        threads = f"{config.threads} thread{'s' * (config.threads > 1)} a group{', unbalanced' * (not config.balanced)}"
        return f"{threads}, points in {config.points}, twiddles {config.twiddles}"

    def from_fields(self, fields: Mapping[str, Any], length: int) -> WordGroupConfig:
        kernel = super().from_fields(fields, length)
        if type(kernel.threads) is not int or not 1 <= kernel.threads <= 2 * min(self.words, length):
            raise ValueError("no kernel has so many threads")
        if not is_power_of_two(kernel.threads) or kernel.twiddles not in PLACES or kernel.points not in POINTS:
            raise ValueError("no kernel has such values")
        if type(kernel.balanced) is not bool:
            raise ValueError("no kernel is balanced like that")
        return kernel

    def _kernel(self, request: AxisRequest, config: WordGroupConfig) -> WordGroupKernel:
        words, radix_22 = min(self._words(request), request.length), self._is_radix_22(request)
        return WordGroupKernel(request, config, words, radix_22, self.constant_geometry)

    def _words(self, request: AxisRequest) -> int:
        return self.words

    def _is_radix_22(self, request: AxisRequest) -> bool:
        return self.radix_22


class MultiGroup(WordGroups):
    """A line in several work groups: first stages in one dispatch, the parts left in another, by radix 2^2 at best."""

    def __init__(
        self, name: str, summary: str, groups: int, constant_geometry: bool = True, only_radix_2: bool = False
    ) -> None:
        super().__init__(name, summary, 2 if only_radix_2 else 4, constant_geometry)
        self.groups, self.only_radix_2 = groups, only_radix_2

    def parts(self, request: AxisRequest) -> list[AxisRequest]:
        if request.part is not None or request.length < 2 * self.groups:
            return [request]
        here, there = self.groups, request.length // self.groups
        named = replace(request, algorithm=self.name)
        return [
            replace(named, part=FourStepPart(here, (), there), scale=1.0),
            replace(named, part=FourStepPart(there, (here,), 1)),
        ]

    def why_unfit(self, config: WordGroupConfig, request: AxisRequest) -> str | None:
        if request.part is not None and not request.part.last:
            return None if config == WordGroupConfig() else "the one kernel that there is for the first stages"
        # The kernel may be for parts, of lines that have such parts themselves.
        return super().why_unfit(config, request) if self.parts(request) == [request] else "lines in parts"

    def _is_radix_22(self, request: AxisRequest) -> bool:
        whole = request.length if request.part is None else request.length * request.part.count
        return not self.only_radix_2 and kernels.is_power_of_four(whole)

    def _words(self, request: AxisRequest) -> int:
        return 4 if self._is_radix_22(request) else 2

    def passes(self, request: AxisRequest, config: WordGroupConfig) -> list[PassSpec]:
        if request.part is None or request.part.last:
            return super().passes(request, config)
        whole = replace(request, part=None)
        groups = min(self.groups, whole.length // self.groups)
        spec = kernels.stages_in_place(whole, 0, self.groups, groups, self._is_radix_22(whole))
        return [replace(spec, request=request, choice=Choice(self.name, WordGroupConfig()))]


# What follows the name's number, numbers of work groups, and options.
_FUTURE = "Ambuluri's future work"
_MULTI_GROUPS: tuple[tuple[str, tuple[int, ...], str, dict[str, bool]], ...] = (
    ("", (2, 4), "constant geometry, radix 2^2 at powers of four (Ambuluri)", {}),
    ("", (8,), f"constant geometry ({_FUTURE})", {}),
    ("-radix-2", (2, 4), "constant geometry, radix 2 at every length (Ambuluri)", {"only_radix_2": True}),
    ("-in-place", (2, 4), "in place, radix 2^2 at powers of four (Ambuluri)", {"constant_geometry": False}),
)
FAMILIES: tuple[WordGroups, ...] = (
    WordGroups("word-group-2", "radix 2, groups of 2 words on 1, 2 or 4 threads each (Ambuluri)", 2),
    *(
        WordGroups(
            f"word-group-{words}",
            f"{count} radix-2 stages between barriers, groups of {words} words on 1 to {2 * words} threads each "
            f"({source})",
            words,
        )
        for words, count, source in ((4, "two", "Ambuluri"), (8, "three", "Ambuluri"), (16, "four", _FUTURE))
    ),
    WordGroups(
        "constant-geometry", "radix 2 with the same indices at every stage (Pease; Ambuluri)", 2, constant_geometry=True
    ),
    WordGroups(
        "radix-22",
        "radix 2^2: every second stage multiplies by 1 or -i only; lengths that are powers of four (Ambuluri)",
        4,
        radix_22=True,
    ),
    WordGroups(
        "radix-22-constant-geometry",
        "radix 2^2 with the same indices at every stage; lengths that are powers of four (Ambuluri)",
        4,
        constant_geometry=True,
        radix_22=True,
    ),
    *(
        MultiGroup(
            f"multi-group-{groups}{ending}",
            f"a line in {groups} work groups and two dispatches, {how}",
            groups,
            **options,
        )
        for ending, numbers, how, options in _MULTI_GROUPS
        for groups in numbers
    ),
)


def _nearest_power_of_four(length: int) -> int:
    below = 4 ** (log2(length) // 2)
    return below if length - below <= 4 * below - length and below > 1 else 4 * below
