"""The transforms of Ambuluri, Implementations of the FFT algorithm on GPU, 2012: for study."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from glfft.algorithms import work_groups
from glfft.algorithms.axis_request import AxisRequest, FourStepPart
from glfft.algorithms.family import Family
from glfft.algorithms.lengths import is_power_of_two, log2
from glfft.algorithms.passes import Choice, PassSpec
from glfft.algorithms.study.word_group_passes import (
    PLACES,
    POINTS,
    WordGroupConfig,
    WordGroupKernel,
    is_power_of_four,
    stages_in_place,
    whole_lines,
)


class WordGroups(Family[WordGroupConfig]):
    """Groups of words that go through several stages between synchronisations, a line to a work group.

    Constant geometry is the same indices at every stage; of radix 2^2 every second stage multiplies by 1 or -i only.
    """

    tunable = True
    study = True
    config_type = WordGroupConfig

    def __init__(
        self, name: str, summary: str, words: int, *, constant_geometry: bool = False, radix_22: bool = False
    ) -> None:
        self.name = name
        self.summary = summary
        self.words = words
        self.constant_geometry = constant_geometry
        self.radix_22 = radix_22

    def supports(self, request: AxisRequest) -> str | None:
        if self.radix_22 and not is_power_of_four(request.length):
            return f"a length that is a power of four, such as {_nearest_power_of_four(request.length)}"
        return (
            work_groups.why_no_power_of_two(request)
            or self._kernel(self.parts(request)[-1], WordGroupConfig()).why_not()
            or work_groups.why_too_many(request, whole_lines(request))
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
        every: list[WordGroupConfig] = [
            WordGroupConfig(each, place, points) for points in POINTS for place in PLACES for each in threads
        ]
        return [config for config in every if self.fits(config, request)][:most]

    def neighbours(self, config: WordGroupConfig, request: AxisRequest) -> list[WordGroupConfig]:
        changed = [replace(config, threads=threads) for threads in (config.threads // 2, 2 * config.threads) if threads]
        changed += [replace(config, twiddles=place) for place in PLACES if place != config.twiddles]
        changed += [replace(config, points=points) for points in POINTS if points != config.points]
        changed.append(replace(config, balanced=not config.balanced))
        return [each for each in changed if self.fits(each, request)]

    def describe(self, config: WordGroupConfig) -> str:
        """Threads of a word group, and where points and factors lie."""
        threads = f"{config.threads} thread{'s' * (config.threads > 1)} a group{', unbalanced' * (not config.balanced)}"
        return f"{threads}, points in {config.points}, twiddles {config.twiddles}"

    def from_fields(self, fields: Mapping[str, Any], length: int) -> WordGroupConfig:
        kernel = super().from_fields(fields, length)
        threads = kernel.threads
        if type(threads) is not int or threads < 1 or threads > 2 * min(self.words, length):
            raise ValueError("no kernel has so many threads")
        if not is_power_of_two(threads) or kernel.twiddles not in PLACES or kernel.points not in POINTS:
            raise ValueError("no kernel has such values")
        if type(kernel.balanced) is not bool:
            raise ValueError("no kernel is balanced like that")
        return kernel

    def _kernel(self, request: AxisRequest, config: WordGroupConfig) -> WordGroupKernel:
        return WordGroupKernel(
            request,
            config,
            min(self._words(request), request.length),
            self._is_radix_22(request),
            self.constant_geometry,
        )

    def _words(self, request: AxisRequest) -> int:
        return self.words

    def _is_radix_22(self, request: AxisRequest) -> bool:
        return self.radix_22


class MultiGroup(WordGroups):
    """A line in several work groups: the first stages in one dispatch, the parts that they leave in another.

    Powers of four go by radix 2^2, but with `only_radix_2`.
    """

    def __init__(
        self, name: str, summary: str, groups: int, *, constant_geometry: bool = True, only_radix_2: bool = False
    ) -> None:
        super().__init__(name, summary, 2 if only_radix_2 else 4, constant_geometry=constant_geometry)
        self.groups = groups
        self.only_radix_2 = only_radix_2

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
        if self.parts(request) != [request]:
            # A kernel for parts, of lines that have such parts themselves.
            return "lines in parts"
        return super().why_unfit(config, request)

    def _is_radix_22(self, request: AxisRequest) -> bool:
        whole = request.length if request.part is None else request.length * request.part.count
        return not self.only_radix_2 and is_power_of_four(whole)

    def _words(self, request: AxisRequest) -> int:
        return 4 if self._is_radix_22(request) else 2

    def passes(self, request: AxisRequest, config: WordGroupConfig) -> list[PassSpec]:
        if request.part is None or request.part.last:
            return super().passes(request, config)
        whole = replace(request, part=None)
        groups = min(self.groups, whole.length // self.groups)
        spec = stages_in_place(whole, 0, self.groups, groups, self._is_radix_22(whole))
        return [replace(spec, request=request, choice=Choice(self.name, WordGroupConfig()))]


# 16 words and 8 work groups are the thesis' future work.
FAMILIES: tuple[WordGroups, ...] = (
    WordGroups("word-group-2", "radix 2, groups of 2 words on 1, 2 or 4 threads each (Ambuluri)", 2),
    *(
        WordGroups(
            f"word-group-{words}",
            f"{count} radix-2 stages between barriers, groups of {words} words on 1 to {2 * words} threads each "
            f"({source})",
            words,
        )
        for words, count, source in (
            (4, "two", "Ambuluri"),
            (8, "three", "Ambuluri"),
            (16, "four", "Ambuluri's future work"),
        )
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
            f"multi-group-{groups}",
            f"a line in {groups} work groups and two dispatches, constant geometry, "
            "radix 2^2 at powers of four (Ambuluri)",
            groups,
        )
        for groups in (2, 4)
    ),
    MultiGroup(
        "multi-group-8", "a line in 8 work groups and two dispatches, constant geometry (Ambuluri's future work)", 8
    ),
    *(
        MultiGroup(
            f"multi-group-{groups}-radix-2",
            f"a line in {groups} work groups and two dispatches, constant geometry, radix 2 at every length (Ambuluri)",
            groups,
            only_radix_2=True,
        )
        for groups in (2, 4)
    ),
    *(
        MultiGroup(
            f"multi-group-{groups}-in-place",
            f"a line in {groups} work groups and two dispatches, in place, radix 2^2 at powers of four (Ambuluri)",
            groups,
            constant_geometry=False,
        )
        for groups in (2, 4)
    ),
)


def _nearest_power_of_four(length: int) -> int:
    below = 4 ** (log2(length) // 2)
    return below if length - below <= 4 * below - length and below > 1 else 4 * below
