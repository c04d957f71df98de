"""The transforms of Ambuluri, Implementations of the FFT algorithm on GPU, 2012: for study."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from glfft.algorithms import work_groups
from glfft.algorithms.family import Config, Family
from glfft.algorithms.lengths import is_power_of_two, log2, power_of_two_below
from glfft.algorithms.passes import AxisRequest, Choice, FourStepPart, PassSpec

# Where the twiddle factors lie, and what shaders call it. With twiddles="computed" they are computed wherever they
# are wanted, in place of a table, or once, into shared memory.
PLACES = {"buffer": "IN_BUFFER", "shared": "IN_SHARED", "constant": "IN_CONSTANT"}

# Compilers take long over longer arrays of constants.
_MOST_CONSTANTS = 1024


@dataclass(frozen=True)
class WordGroupConfig:
    """A kernel.

    Attributes:
        threads: that share the operations of a word group: a power of two up to twice its words.
        twiddles: where the factors lie, of PLACES.
    """

    threads: int = 1
    twiddles: str = "buffer"


class WordGroups(Family):
    """Groups of words that go through several stages between synchronisations, a line to a work group."""

    tunable = True
    study = True
    words = 2
    constant_geometry = False
    radix_22 = False

    def supports(self, request: AxisRequest) -> str | None:
        if self.radix_22 and not _is_power_of_four(request.length):
            return f"a length that is a power of four, such as {_nearest_power_of_four(request.length)}"
        return (
            work_groups.why_no_power_of_two(request)
            or self._why_not(request)
            or work_groups.why_too_many(request, _whole_lines(request))
        )

    def _why_not(self, request: AxisRequest) -> str | None:
        need = self._arrays(WordGroupConfig()) * request.length * request.storage.value_bytes
        have = request.device.limits.shared_memory
        return f"{need} bytes of shared memory, and the device has {have}" if need > have else None

    def passes(self, request: AxisRequest, config: Config) -> list[PassSpec]:
        return [self._pass(request, _known(config), self.radix_22)]

    def default(self, request: AxisRequest) -> WordGroupConfig:
        return WordGroupConfig()

    def fits(self, config: Config, request: AxisRequest) -> bool:
        kernel = _known(config)
        if kernel.threads > 2 * self._words(request) or self.supports(request) is not None:
            return False
        if kernel.twiddles == "constant" and (
            request.computed_twiddles or request.storage.double or request.length > _MOST_CONSTANTS
        ):
            return False
        return self._shared_bytes(request, kernel, self.radix_22) <= request.device.limits.shared_memory

    def candidates(self, request: AxisRequest, most: int) -> list[Config]:
        threads = [2**exponent for exponent in range(log2(2 * self.words) + 1)]
        every: list[Config] = [WordGroupConfig(each, place) for place in PLACES for each in threads]
        return [config for config in every if self.fits(config, request)][:most]

    def neighbours(self, config: Config, request: AxisRequest) -> list[Config]:
        kernel = _known(config)
        changed = [replace(kernel, threads=threads) for threads in (kernel.threads // 2, 2 * kernel.threads) if threads]
        changed += [replace(kernel, twiddles=place) for place in PLACES if place != kernel.twiddles]
        return [each for each in changed if self.fits(each, request)]

    def describe(self, config: Config) -> str:
        """Threads of a word group, and where the factors lie."""
        kernel = _known(config)
        return f"{kernel.threads} thread{'s' * (kernel.threads > 1)} a group, twiddles {kernel.twiddles}"

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
        if not is_power_of_two(threads) or kernel.twiddles not in PLACES:
            raise ValueError("no kernel has such values")
        return kernel

    def _words(self, request: AxisRequest) -> int:
        return min(self.words, request.length)

    def _arrays(self, kernel: WordGroupConfig) -> int:
        shares = 2 * kernel.threads > self.words and kernel.threads > 1
        return 2 if self.constant_geometry or shares else 1

    def _shared_bytes(self, request: AxisRequest, kernel: WordGroupConfig, radix_22: bool) -> int:
        roots = _root_points(request, radix_22) // 2 if kernel.twiddles == "shared" else 0
        points = self._arrays(kernel) * request.length
        return points * request.storage.value_bytes + roots * 2 * request.storage.number_bytes

    def _pass(self, request: AxisRequest, kernel: WordGroupConfig, radix_22: bool) -> PassSpec:
        words = self._words(request)
        members = min(kernel.threads, 2 * words)
        shares = max(1, 2 * members // words) if members > 1 else 1
        epochs = [
            min(log2(words), log2(request.length) - stage) for stage in range(0, log2(request.length), log2(words))
        ]
        threads = min(request.length // words * members, _most_threads(request))
        parts = 1 if request.part is None else request.part.count
        barriers = 1 + sum(
            _step_barriers(shares, radix_22, log2(parts) + stage) for stage in range(log2(request.length))
        )
        return replace(
            _line_pass(request, "fft/word_groups.comp", words, kernel, radix_22),
            defines=(
                *_defines(request, words, kernel, radix_22, self.constant_geometry),
                ("SCALE", request.scale),
                ("PARTS", parts),
                ("FIRST_STAGE", log2(parts)),
                ("THREADS", threads),
                ("GROUP_THREADS", members),
                ("SHARES", shares),
                ("ARRAYS", self._arrays(kernel)),
                ("REVERSED_BY_MASKS", False),
            ),
            groups=(_whole_lines(request), request.layers or 1, parts),
            threads=threads,
            radices=tuple(2**epoch for epoch in epochs),
            shared_bytes=self._shared_bytes(request, kernel, radix_22),
            barriers=barriers if members > 1 else 1 + len(epochs),
            choice=Choice(self.name, kernel),
            stores_where_it_loads=parts == 1,
        )


class WordGroup2(WordGroups):
    """Groups of two words: a barrier after each stage."""

    name = "word-group-2"
    summary = "radix 2, groups of 2 words in registers, on 1, 2 or 4 threads each (Ambuluri)"


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

    def fits(self, config: Config, request: AxisRequest) -> bool:
        if request.part is not None and not request.part.last:
            return config == WordGroupConfig()
        if self.parts(request) != [request]:
            # A kernel for parts, of lines that have such parts themselves.
            return False
        return super().fits(config, request)

    def _is_radix_22(self, request: AxisRequest) -> bool:
        return not self.only_radix_2 and _is_power_of_four(_root_points(request, True))

    def _words(self, request: AxisRequest) -> int:
        return min(4 if self._is_radix_22(request) else 2, request.length)

    def passes(self, request: AxisRequest, config: Config) -> list[PassSpec]:
        radix_22 = self._is_radix_22(request)
        if request.part is None or request.part.last:
            return [self._pass(request, _known(config), radix_22)]
        whole = replace(request, part=None)
        groups = min(self.groups, whole.length // self.groups)
        spec = stages_in_place(whole, 0, self.groups, groups, radix_22)
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


FAMILIES: tuple[WordGroups, ...] = (
    *(WordGroup2(), WordGroup4(), WordGroup8(), WordGroup16()),
    *(ConstantGeometry(), Radix22(), Radix22ConstantGeometry()),
    *(MultiGroup2(), MultiGroup4(), MultiGroup8(), MultiGroup2Radix2(), MultiGroup4Radix2()),
)


def stages_in_place(request: AxisRequest, stage: int, words: int, groups: int, radix_22: bool = False) -> PassSpec:
    """log2(words) stages of whole lines from a stage on, a line by so many work groups, without shared memory."""
    threads = min(request.length // words // groups, _most_threads(request))
    kernel = WordGroupConfig()
    return replace(
        _line_pass(request, "fft/word_group_split.comp", words, kernel, radix_22),
        defines=(
            *_defines(request, words, kernel, radix_22, False),
            ("SCALE", 1.0),
            ("PARTS", 1),
            ("FIRST_STAGE", 0),
            ("STAGE", stage),
            ("THREADS", threads),
            ("GROUPS", groups),
        ),
        groups=(request.lines, request.layers or 1, groups),
        threads=threads,
        radices=(words,),
        stores_where_it_loads=True,
    )


def _line_pass(request: AxisRequest, shader: str, words: int, kernel: WordGroupConfig, radix_22: bool) -> PassSpec:
    points = _root_points(request, radix_22)
    constant = kernel.twiddles == "constant"
    generated = (("generated/roots.glsl", _constant_roots(points) if constant else ""),)
    return PassSpec(
        shader, request, (), (1, 1, 1), 1, generated=generated, table=() if constant else (2,) * log2(points)
    )


def _defines(
    request: AxisRequest, words: int, kernel: WordGroupConfig, radix_22: bool, constant_geometry: bool
) -> tuple[tuple[str, int | bool | str], ...]:
    return (
        ("LENGTH", request.length),
        ("STAGES", log2(request.length)),
        ("DIRECTION", request.direction),
        ("WORDS", words),
        ("LOG_WORDS", log2(words)),
        ("CONSTANT_GEOMETRY", constant_geometry),
        ("RADIX_22", radix_22),
        ("TWIDDLE_PLACE", PLACES[kernel.twiddles]),
        ("ROOT_POINTS", _root_points(request, radix_22)),
    )


def _root_points(request: AxisRequest, radix_22: bool) -> int:
    # In radix 2^2 a stage has factors of the one before it, which may have been of whole lines.
    whole = request.length if request.part is None else request.length * request.part.count
    return whole if radix_22 else request.length


def _constant_roots(points: int) -> str:
    angles = (2.0 * math.pi * m / points for m in range(points // 2))
    roots = ", ".join(f"complex({_exact(math.cos(angle))}, {_exact(-math.sin(angle))})" for angle in angles)
    return f"const complex CONSTANT_ROOTS[{points // 2}] = complex[{points // 2}]({roots});\n"


def _exact(number: float) -> str:
    # Multiples of a quarter turn come out exact.
    return repr(round(number, 17) + 0.0 if abs(number) > 1e-15 else 0.0)


def _step_barriers(shares: int, radix_22: bool, stage: int) -> int:
    if shares == 1 or (radix_22 and (shares == 2 or stage % 2 == 0)):
        return 1
    return 2 if radix_22 or shares == 2 else 3


def _whole_lines(request: AxisRequest) -> int:
    return request.lines // (1 if request.part is None else request.part.count)


def _most_threads(request: AxisRequest) -> int:
    limits = request.device.limits
    return power_of_two_below(min(limits.invocations, limits.group_size[0]))


def _is_power_of_four(length: int) -> bool:
    return is_power_of_two(length) and log2(length) % 2 == 0


def _nearest_power_of_four(length: int) -> int:
    below = 4 ** (log2(length) // 2)
    return below if length - below <= 4 * below - length and below > 1 else 4 * below


def _known(config: Config) -> WordGroupConfig:
    assert isinstance(config, WordGroupConfig)
    return config
