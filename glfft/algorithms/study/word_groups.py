"""The transforms of Ambuluri, Implementations of the FFT algorithm on GPU, 2012, and their kernels: for study."""

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from glfft.algorithms import work_groups
from glfft.algorithms.axis_request import AxisRequest, FourStepPart
from glfft.algorithms.family import Family
from glfft.algorithms.lengths import is_power_of_two, log2
from glfft.algorithms.passes import Choice, PassSpec
from glfft.gl.source import Define

# Where the twiddle factors lie, and what shaders call it. With twiddles="computed" they are computed wherever they
# are wanted, in place of a table, or once, into shared memory.
PLACES = {"buffer": "IN_BUFFER", "shared": "IN_SHARED", "constant": "IN_CONSTANT"}

# Where points lie between the stages of a group: in registers of its one thread, or in shared arrays as in the thesis.
POINTS = ("registers", "arrays")

_MOST_CONSTANTS = 1024  # compilers take long over longer arrays of constants


@dataclass(frozen=True)
class WordGroupConfig:
    threads: int = 1  # that share the operations of a word group: a power of two up to twice its words
    twiddles: str = "buffer"  # where the factors lie, of PLACES
    points: str = "registers"  # where points lie between stages, of POINTS
    # where two threads share a butterfly in arrays: both multiply, else one (the thesis, figure 4.6).
    balanced: bool = True


@dataclass(frozen=True)
class WordGroupKernel:
    """A kernel for the lines of a request, or for their parts."""

    request: AxisRequest  # what it is for
    config: WordGroupConfig  # its options
    words: int  # of a group
    radix_22: bool = False  # radix 2^2 in place of radix 2
    constant_geometry: bool = False  # every stage reads and writes the same places

    @property
    def in_arrays(self) -> bool:
        return self.config.points == "arrays"

    @property
    def members(self) -> int:
        """Threads of a group."""
        return min(self.config.threads, 2 * self.words)

    @property
    def butterfly_threads(self) -> int:
        """Threads that share a butterfly: 1, 2 or 4."""
        return max(1, 2 * self.members // self.words) if self.members > 1 else 1

    @property
    def threads_wanted(self) -> int:
        """Threads of a work group in which each thread works on a single word group."""
        return self.request.length // self.words * self.members

    @property
    def threads(self) -> int:
        return min(self.threads_wanted, work_groups.most_threads(self.request))

    @property
    def epochs(self) -> list[int]:
        stages, at_once = log2(self.request.length), log2(self.words)
        return [min(at_once, stages - stage) for stage in range(0, stages, at_once)]

    @property
    def arrays(self) -> int:
        """Arrays in shared memory, of a line's points each."""
        if self.in_arrays:
            return 3 if self.butterfly_threads == 4 and not self.radix_22 else 2
        return 2 if self.constant_geometry else 1

    @property
    def shared_bytes(self) -> int:
        storage = self.request.storage
        roots = _root_points(self.request, self.radix_22) // 2 if self.config.twiddles == "shared" else 0
        return self.arrays * self.request.length * storage.value_bytes + roots * 2 * storage.number_bytes

    @property
    def barriers(self) -> int:
        """Barriers of a work group: one before each epoch and one before the results are stored, and those within."""
        stages = log2(self.request.length)
        if not self.in_arrays or (self.members == 1 and not self.constant_geometry):
            return 1 + len(self.epochs)
        if self.radix_22:
            # An odd number of stages begins with one on its own.
            return 1 + (stages + 1) // 2 * (self.butterfly_threads // 2)
        return 1 + stages * (1 + {1: int(self.constant_geometry), 2: 1, 4: 2}[self.butterfly_threads])

    def why_not(self) -> str | None:
        """Why it cannot be on the request's device, to complete "it would need"."""
        limits, storage = self.request.device.limits, self.request.storage
        constant = self.config.twiddles == "constant"
        if constant and (self.request.computed_twiddles or storage.double or self.request.length > _MOST_CONSTANTS):
            return f"factors in float32 from the CPU, and at most {_MOST_CONSTANTS} points"
        if self.shared_bytes > limits.shared_memory:
            return f"{self.shared_bytes} bytes of shared memory, and the device has {limits.shared_memory}"
        if not self.in_arrays:
            return None if self.config == WordGroupConfig(twiddles=self.config.twiddles) else "points in arrays"
        if self.config.threads > 2 * self.words:
            return f"groups of more than {self.words} words"
        if self.radix_22 and (self.words < 4 or self.butterfly_threads == 1):
            return "4 or 8 threads a word group"
        if not self.config.balanced and (self.radix_22 or self.butterfly_threads != 2):
            return "two threads a butterfly, radix 2"
        if not self.radix_22 and log2(self.request.length) % log2(self.words):
            return f"a number of stages that is a multiple of {log2(self.words)}"
        if self.threads_wanted > self.threads:
            return f"{self.threads_wanted} threads a work group, and the device allows {self.threads}"
        return None

    def spec(self, name: str) -> PassSpec:
        """The pass; `name` is the algorithm's."""
        request, parts = self.request, _parts(self.request)
        if not self.in_arrays:
            shader, own = "word_groups", {"ARRAYS": self.arrays}
        elif self.radix_22:
            shader, own = "radix_22_arrays", {"WORD_THREADS": self.butterfly_threads // 2}
        else:
            shader, own = "word_group_arrays", {"GROUP_THREADS": self.members}
            own |= {"BUTTERFLY_THREADS": self.butterfly_threads, "BALANCED": self.config.balanced}
        return self._line_pass(
            f"fft/study/{shader}.comp",
            {
                "SCALE": request.scale,
                "PARTS": parts,
                "FIRST_STAGE": log2(parts),
                "THREADS": self.threads,
                "BIT_REVERSED_OUTPUT": False,
                **own,
            },
            groups=(request.lines // parts, request.layers or 1, parts),
            threads=self.threads,
            radices=tuple(2**epoch for epoch in self.epochs),
            shared_bytes=self.shared_bytes,
            barriers=self.barriers,
            choice=Choice(name, self.config),
            stores_where_it_loads=parts == 1,
        )

    def _line_pass(self, shader: str, more: dict[str, Define], **fields: Any) -> PassSpec:
        """A pass with `more` constants and other fields of `PassSpec`."""
        points, stages = _root_points(self.request, self.radix_22), log2(self.request.length)
        defines = {
            "LENGTH": self.request.length,
            "STAGES": stages,
            "DIRECTION": self.request.direction,
            "WORDS": self.words,
            "LOG_WORDS": log2(self.words),
            "CONSTANT_GEOMETRY": self.constant_geometry,
            "RADIX_22": self.radix_22,
            "TWIDDLE_PLACE": PLACES[self.config.twiddles],
            "ROOT_POINTS": points,
            **more,
        }
        constant = self.config.twiddles == "constant"
        fields["generated"] = (("generated/roots.glsl", _constant_roots(points) if constant else ""),)
        fields["table"] = () if constant else (2,) * log2(points)
        return PassSpec(shader, self.request, tuple(defines.items()), **fields)


def in_bit_reversed_order(spec: PassSpec) -> PassSpec:
    """The same pass, with result k of a line of 2^n points where k's n bits say in reverse order (the thesis, 3.1)."""
    return replace(spec, defines=tuple({**dict(spec.defines), "BIT_REVERSED_OUTPUT": True}.items()))


def stages_in_place(request: AxisRequest, stage: int, words: int, groups: int, radix_22: bool = False) -> PassSpec:
    """log2(words) stages of whole lines from a stage on, a line by so many work groups, without shared memory."""
    threads = min(request.length // words // groups, work_groups.most_threads(request))
    defines = {"SCALE": 1.0, "PARTS": 1, "FIRST_STAGE": 0, "STAGE": stage, "THREADS": threads, "GROUPS": groups}
    every = (request.lines, request.layers or 1, groups)
    fields = {"groups": every, "threads": threads, "radices": (words,), "stores_where_it_loads": True}
    kernel = WordGroupKernel(request, WordGroupConfig(), words, radix_22)
    return kernel._line_pass("fft/study/word_group_split.comp", defines, **fields)


def is_power_of_four(length: int) -> bool:
    return is_power_of_two(length) and log2(length) % 2 == 0


def _parts(request: AxisRequest) -> int:
    return 1 if request.part is None else request.part.count


def _root_points(request: AxisRequest, radix_22: bool) -> int:
    # A stage of radix 2^2 has the factors of the stage before it, which may have been one of whole lines.
    return request.length * _parts(request) if radix_22 else request.length


def _constant_roots(points: int) -> str:
    angles = (2.0 * math.pi * m / points for m in range(points // 2))
    roots = ", ".join(f"complex({_exact(math.cos(angle))}, {_exact(-math.sin(angle))})" for angle in angles)
    return f"const complex CONSTANT_ROOTS[{points // 2}] = complex[{points // 2}]({roots});\n"


def _exact(number: float) -> str:
    return repr(round(number, 17) + 0.0 if abs(number) > 1e-15 else 0.0)  # multiples of a quarter turn come out exact


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
        if self.radix_22 and not is_power_of_four(request.length):
            near = (4 ** (log2(request.length) // 2 or 1), 4 ** (log2(request.length) // 2 + 1))
            nearest = min(near, key=lambda power: abs(power - request.length))
            return f"a length that is a power of four, such as {nearest}"
        need = work_groups.why_not(request, groups=(request.lines // _parts(request), 1))
        return need or self._kernel(self.parts(request)[-1], WordGroupConfig()).why_not()

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
        words, radix_22 = self._words(request)
        return WordGroupKernel(request, config, min(words, request.length), radix_22, self.constant_geometry)

    def _words(self, request: AxisRequest) -> tuple[int, bool]:
        """Words of a group, and whether the radix is 2^2."""
        return self.words, self.radix_22


@dataclass(eq=False)
class MultiGroup(WordGroups):
    """A line in several work groups: first stages in one dispatch, parts in another; 4 words allow radix 2^2."""

    groups: int = 2

    def parts(self, request: AxisRequest) -> list[AxisRequest]:
        if request.part is not None or request.length < 2 * self.groups:
            return [request]
        here, there = self.groups, request.length // self.groups
        first, last = FourStepPart(here, (), there), FourStepPart(there, (here,), 1)
        named = replace(request, algorithm=self.name)
        return [replace(named, part=first, scale=1.0), replace(named, part=last)]

    def why_unfit(self, config: WordGroupConfig, request: AxisRequest) -> str | None:
        if request.part is not None and not request.part.last:
            return None if config == WordGroupConfig() else "the one kernel that there is for the first stages"
        # The kernel may be for parts, of lines that have such parts themselves.
        return super().why_unfit(config, request) if self.parts(request) == [request] else "lines in parts"

    def _words(self, request: AxisRequest) -> tuple[int, bool]:
        return (4, True) if self.words == 4 and is_power_of_four(request.length * _parts(request)) else (2, False)

    def passes(self, request: AxisRequest, config: WordGroupConfig) -> list[PassSpec]:
        if request.part is None or request.part.last:
            return super().passes(request, config)
        whole = replace(request, part=None)
        groups = min(self.groups, whole.length // self.groups)
        _, radix_22 = self._words(whole)
        spec = stages_in_place(whole, 0, self.groups, groups, radix_22)
        return [replace(spec, request=request, choice=Choice(self.name, WordGroupConfig()))]


_FUTURE = "Ambuluri's future work"
_SEVERAL_STAGES = "{} radix-2 stages between barriers, groups of {} words on 1 to {} threads each ({})"
_RADIX_22 = "radix 2^2: every second stage multiplies by 1 or -i only; lengths that are powers of four (Ambuluri)"
_CONSTANT_RADIX_22 = "radix 2^2 with the same indices at every stage; lengths that are powers of four (Ambuluri)"
_IN_GROUPS = "a line in {} work groups and two dispatches, {}"
# What follows the name's number, numbers of work groups, words, and whether the geometry is constant.
_MULTI_GROUPS = (
    ("", (2, 4), "constant geometry, radix 2^2 at powers of four (Ambuluri)", 4, True),
    ("", (8,), f"constant geometry ({_FUTURE})", 4, True),
    ("-radix-2", (2, 4), "constant geometry, radix 2 at every length (Ambuluri)", 2, True),
    ("-in-place", (2, 4), "in place, radix 2^2 at powers of four (Ambuluri)", 4, False),
)
FAMILIES: tuple[WordGroups, ...] = (
    WordGroups("word-group-2", "radix 2, groups of 2 words on 1, 2 or 4 threads each (Ambuluri)", 2),
    *(
        WordGroups(f"word-group-{words}", _SEVERAL_STAGES.format(count, words, 2 * words, source), words)
        for words, count, source in ((4, "two", "Ambuluri"), (8, "three", "Ambuluri"), (16, "four", _FUTURE))
    ),
    WordGroups("constant-geometry", "radix 2 with the same indices at every stage (Pease; Ambuluri)", 2, True),
    WordGroups("radix-22", _RADIX_22, 4, radix_22=True),
    WordGroups("radix-22-constant-geometry", _CONSTANT_RADIX_22, 4, constant_geometry=True, radix_22=True),
    *(
        MultiGroup(f"multi-group-{groups}{ending}", _IN_GROUPS.format(groups, how), words, constant, groups=groups)
        for ending, numbers, how, words, constant in _MULTI_GROUPS
        for groups in numbers
    ),
)
