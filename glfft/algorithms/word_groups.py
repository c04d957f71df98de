"""The transforms of Ambuluri, Implementations of the FFT algorithm on GPU, 2012: for study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from glfft.algorithms import work_groups
from glfft.algorithms.family import Config, Family
from glfft.algorithms.lengths import is_power_of_two, log2
from glfft.algorithms.passes import AxisRequest, Choice, FourStepPart, PassSpec
from glfft.algorithms.word_group_passes import (
    PLACES,
    POINTS,
    WordGroupConfig,
    WordGroupKernel,
    is_power_of_four,
    stages_in_place,
    whole_lines,
)


class WordGroups(Family):
    """Groups of words that go through several stages between synchronisations, a line to a work group."""

    tunable = True
    study = True
    words = 2
    constant_geometry = False
    radix_22 = False

    def supports(self, request: AxisRequest) -> str | None:
        if self.radix_22 and not is_power_of_four(request.length):
            return f"a length that is a power of four, such as {_nearest_power_of_four(request.length)}"
        return (
            work_groups.why_no_power_of_two(request)
            or self._why_not(request)
            or work_groups.why_too_many(request, whole_lines(request))
        )

    def _why_not(self, request: AxisRequest) -> str | None:
        return self._kernel(request, WordGroupConfig()).why_not()

    def passes(self, request: AxisRequest, config: Config) -> list[PassSpec]:
        return [self._kernel(request, config).spec(self.name)]

    def default(self, request: AxisRequest) -> WordGroupConfig:
        return WordGroupConfig()

    def fits(self, config: Config, request: AxisRequest) -> bool:
        return self.why_unfit(_known(config), request) is None

    def why_unfit(self, config: WordGroupConfig, request: AxisRequest) -> str | None:
        """What a kernel would need that the device or one of `parts` has not, to complete "it would need"."""
        return self.supports(request) or self._kernel(request, config).why_not()

    def candidates(self, request: AxisRequest, most: int) -> list[Config]:
        threads = [2**exponent for exponent in range(log2(2 * self.words) + 1)]
        every: list[Config] = [
            WordGroupConfig(each, place, points) for points in POINTS for place in PLACES for each in threads
        ]
        return [config for config in every if self.fits(config, request)][:most]

    def neighbours(self, config: Config, request: AxisRequest) -> list[Config]:
        kernel = _known(config)
        changed = [replace(kernel, threads=threads) for threads in (kernel.threads // 2, 2 * kernel.threads) if threads]
        changed += [replace(kernel, twiddles=place) for place in PLACES if place != kernel.twiddles]
        changed += [replace(kernel, points=points) for points in POINTS if points != kernel.points]
        changed.append(replace(kernel, balanced=not kernel.balanced))
        return [each for each in changed if self.fits(each, request)]

    def describe(self, config: Config) -> str:
        """Threads of a word group, and where points and factors lie."""
        kernel = _known(config)
        threads = f"{kernel.threads} thread{'s' * (kernel.threads > 1)} a group{', unbalanced' * (not kernel.balanced)}"
        return f"{threads}, points in {kernel.points}, twiddles {kernel.twiddles}"

    def to_fields(self, config: Config) -> dict[str, Any]:
        return asdict(_known(config))

    def from_fields(self, fields: Mapping[str, Any], length: int) -> WordGroupConfig:
        try:
            kernel = WordGroupConfig(**fields)
        except TypeError as error:
            raise ValueError("fields are missing, or unknown to this glfft") from error
        threads = kernel.threads
        if type(threads) is not int or threads < 1 or threads > 2 * min(self.words, length):
            raise ValueError("no kernel has so many threads")
        if not is_power_of_two(threads) or kernel.twiddles not in PLACES or kernel.points not in POINTS:
            raise ValueError("no kernel has such values")
        if type(kernel.balanced) is not bool:
            raise ValueError("no kernel is balanced like that")
        return kernel

    def _words(self, request: AxisRequest) -> int:
        return min(self.words, request.length)

    def _kernel(self, request: AxisRequest, config: Config) -> WordGroupKernel:
        return WordGroupKernel(
            request, _known(config), self._words(request), self._is_radix_22(request), self.constant_geometry
        )

    def _is_radix_22(self, request: AxisRequest) -> bool:
        return self.radix_22


class WordGroup2(WordGroups):
    """Groups of two words: a barrier after each stage."""

    name = "word-group-2"
    summary = "radix 2, groups of 2 words on 1, 2 or 4 threads each (Ambuluri)"


class WordGroup4(WordGroups):
    """Groups of four words."""

    name = "word-group-4"
    summary = "two radix-2 stages between barriers, groups of 4 words on 1 to 8 threads each (Ambuluri)"
    words = 4


class WordGroup8(WordGroups):
    """Groups of eight words."""

    name = "word-group-8"
    summary = "three radix-2 stages between barriers, groups of 8 words on 1 to 16 threads each (Ambuluri)"
    words = 8


class WordGroup16(WordGroups):
    """Groups of sixteen words, which the thesis leaves as future work."""

    name = "word-group-16"
    summary = (
        "four radix-2 stages between barriers, groups of 16 words on 1 to 32 threads each (Ambuluri's future work)"
    )
    words = 16


class ConstantGeometry(WordGroups):
    """Groups of two words with the same indices at every stage."""

    name = "constant-geometry"
    summary = "radix 2 with the same indices at every stage (Pease; Ambuluri)"
    constant_geometry = True


class Radix22(WordGroups):
    """Radix 2^2 on groups of four words: every second stage multiplies by 1 or -i only."""

    name = "radix-22"
    summary = "radix 2^2: every second stage multiplies by 1 or -i only; lengths that are powers of four (Ambuluri)"
    words = 4
    radix_22 = True


class Radix22ConstantGeometry(Radix22):
    """Radix 2^2 with the same indices at every stage."""

    name = "radix-22-constant-geometry"
    summary = "radix 2^2 with the same indices at every stage; lengths that are powers of four (Ambuluri)"
    constant_geometry = True


class MultiGroup2(WordGroups):
    """A line in two work groups: the first stages in one dispatch, the parts that they leave in another."""

    name = "multi-group-2"
    summary = "a line in 2 work groups and two dispatches, constant geometry, radix 2^2 at powers of four (Ambuluri)"
    words = 4
    constant_geometry = True
    groups = 2
    only_radix_2 = False

    def _why_not(self, request: AxisRequest) -> str | None:
        return super()._why_not(self.parts(request)[-1])

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
        return min(4 if self._is_radix_22(request) else 2, request.length)

    def passes(self, request: AxisRequest, config: Config) -> list[PassSpec]:
        if request.part is None or request.part.last:
            return super().passes(request, config)
        whole = replace(request, part=None)
        groups = min(self.groups, whole.length // self.groups)
        spec = stages_in_place(whole, 0, self.groups, groups, self._is_radix_22(whole))
        return [replace(spec, request=request, choice=Choice(self.name, WordGroupConfig()))]


class MultiGroup4(MultiGroup2):
    """The same in four."""

    name = "multi-group-4"
    summary = "a line in 4 work groups and two dispatches, constant geometry, radix 2^2 at powers of four (Ambuluri)"
    groups = 4


class MultiGroup8(MultiGroup2):
    """The same in eight, which the thesis leaves as future work."""

    name = "multi-group-8"
    summary = "a line in 8 work groups and two dispatches, constant geometry (Ambuluri's future work)"
    groups = 8


class MultiGroup2Radix2(MultiGroup2):
    """Two work groups a line, radix 2 at powers of four too."""

    name = "multi-group-2-radix-2"
    summary = "a line in 2 work groups and two dispatches, constant geometry, radix 2 at every length (Ambuluri)"
    words = 2
    only_radix_2 = True


class MultiGroup4Radix2(MultiGroup2Radix2):
    """The same in four."""

    name = "multi-group-4-radix-2"
    summary = "a line in 4 work groups and two dispatches, constant geometry, radix 2 at every length (Ambuluri)"
    groups = 4


class MultiGroup2InPlace(MultiGroup2):
    """Two work groups a line, every stage in place."""

    name = "multi-group-2-in-place"
    summary = "a line in 2 work groups and two dispatches, in place, radix 2^2 at powers of four (Ambuluri)"
    constant_geometry = False


class MultiGroup4InPlace(MultiGroup2InPlace):
    """The same in four."""

    name = "multi-group-4-in-place"
    summary = "a line in 4 work groups and two dispatches, in place, radix 2^2 at powers of four (Ambuluri)"
    groups = 4


FAMILIES: tuple[WordGroups, ...] = (
    *(WordGroup2(), WordGroup4(), WordGroup8(), WordGroup16()),
    *(ConstantGeometry(), Radix22(), Radix22ConstantGeometry()),
    *(MultiGroup2(), MultiGroup4(), MultiGroup8(), MultiGroup2Radix2(), MultiGroup4Radix2()),
    *(MultiGroup2InPlace(), MultiGroup4InPlace()),
)


def _nearest_power_of_four(length: int) -> int:
    below = 4 ** (log2(length) // 2)
    return below if length - below <= 4 * below - length and below > 1 else 4 * below


def _known(config: Config) -> WordGroupConfig:
    assert isinstance(config, WordGroupConfig)
    return config
