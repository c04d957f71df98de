"""How a kernel of word groups becomes a pass: its constants, its shared memory and its barriers.

Source: Ambuluri, Implementations of the FFT algorithm on GPU, 2012.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

from glfft.algorithms import work_groups
from glfft.algorithms.axis_request import AxisRequest
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
    # where two threads share a butterfly in arrays: both multiply. If not, one adds, and the other subtracts and
    # multiplies (the thesis, figure 4.6).
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
    def threads(self) -> int:
        return min(self.threads_wanted, work_groups.most_threads(self.request))

    @property
    def threads_wanted(self) -> int:
        """Threads of a work group in which each thread works on a single word group."""
        return self.request.length // self.words * self.members

    @property
    def epochs(self) -> list[int]:
        stages, at_once = log2(self.request.length), log2(self.words)
        return [min(at_once, stages - stage) for stage in range(0, stages, at_once)]

    @property
    def parts(self) -> int:
        return 1 if self.request.part is None else self.request.part.count

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
        within = {1: int(self.constant_geometry), 2: 1, 4: 2}[self.butterfly_threads]
        return 1 + stages * (1 + within)

    def why_not(self) -> str | None:
        """Why it cannot be on the request's device, to complete "it would need"."""
        limits, storage = self.request.device.limits, self.request.storage
        constant = self.config.twiddles == "constant"
        if constant and (self.request.computed_twiddles or storage.double or self.request.length > _MOST_CONSTANTS):
            return f"factors in float32 from the CPU, and at most {_MOST_CONSTANTS} points"
        if self.shared_bytes > limits.shared_memory:
            return f"{self.shared_bytes} bytes of shared memory, and the device has {limits.shared_memory}"
        if self.in_arrays:
            return self._why_no_arrays()
        return None if self.config == WordGroupConfig(twiddles=self.config.twiddles) else "points in arrays"

    def _why_no_arrays(self) -> str | None:
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
        shader, of_shader = self._shader()
        return _line_pass(
            self.request,
            shader,
            self.words,
            self.config,
            self.radix_22,
            self.constant_geometry,
            (
                ("SCALE", self.request.scale),
                ("PARTS", self.parts),
                ("FIRST_STAGE", log2(self.parts)),
                ("THREADS", self.threads),
                ("BIT_REVERSED_OUTPUT", False),
                *of_shader,
            ),
            groups=(whole_lines(self.request), self.request.layers or 1, self.parts),
            threads=self.threads,
            radices=tuple(2**epoch for epoch in self.epochs),
            shared_bytes=self.shared_bytes,
            barriers=self.barriers,
            choice=Choice(name, self.config),
            stores_where_it_loads=self.parts == 1,
        )

    def _shader(self) -> tuple[str, tuple[tuple[str, int | bool], ...]]:
        """The entry point, and the constants that it alone has."""
        if not self.in_arrays:
            return "fft/study/word_groups.comp", (("ARRAYS", self.arrays),)
        if self.radix_22:
            return "fft/study/radix_22_arrays.comp", (("WORD_THREADS", self.butterfly_threads // 2),)
        return "fft/study/word_group_arrays.comp", (
            ("GROUP_THREADS", self.members),
            ("BUTTERFLY_THREADS", self.butterfly_threads),
            ("BALANCED", self.config.balanced),
        )


def in_bit_reversed_order(spec: PassSpec) -> PassSpec:
    """The same pass, with result k of a line of 2^n points where k's n bits say in reverse order (the thesis, 3.1)."""
    return replace(spec, defines=tuple({**dict(spec.defines), "BIT_REVERSED_OUTPUT": True}.items()))


def stages_in_place(request: AxisRequest, stage: int, words: int, groups: int, radix_22: bool = False) -> PassSpec:
    """log2(words) stages of whole lines from a stage on, a line by so many work groups, without shared memory."""
    threads = min(request.length // words // groups, work_groups.most_threads(request))
    first = (("SCALE", 1.0), ("PARTS", 1), ("FIRST_STAGE", 0))
    defines = (*first, ("STAGE", stage), ("THREADS", threads), ("GROUPS", groups))
    shader, every = "fft/study/word_group_split.comp", (request.lines, request.layers or 1, groups)
    fields = {"groups": every, "threads": threads, "radices": (words,), "stores_where_it_loads": True}
    return _line_pass(request, shader, words, WordGroupConfig(), radix_22, False, defines, **fields)


def is_power_of_four(length: int) -> bool:
    return is_power_of_two(length) and log2(length) % 2 == 0


def whole_lines(request: AxisRequest) -> int:
    """Lines, those in parts counted once."""
    return request.lines // (1 if request.part is None else request.part.count)


def _line_pass(
    request: AxisRequest,
    shader: str,
    words: int,
    kernel: WordGroupConfig,
    radix_22: bool,
    constant_geometry: bool,
    more: tuple[tuple[str, Define], ...],
    **fields: Any,
) -> PassSpec:
    """A pass with `more` constants and other fields of `PassSpec`."""
    points, constant = _root_points(request, radix_22), kernel.twiddles == "constant"
    defines = (
        ("LENGTH", request.length),
        ("STAGES", log2(request.length)),
        ("DIRECTION", request.direction),
        ("WORDS", words),
        ("LOG_WORDS", log2(words)),
        ("CONSTANT_GEOMETRY", constant_geometry),
        ("RADIX_22", radix_22),
        ("TWIDDLE_PLACE", PLACES[kernel.twiddles]),
        ("ROOT_POINTS", points),
        *more,
    )
    roots, table = (_constant_roots(points), ()) if constant else ("", (2,) * log2(points))
    return PassSpec(shader, request, defines, generated=(("generated/roots.glsl", roots),), table=table, **fields)


def _root_points(request: AxisRequest, radix_22: bool) -> int:
    # A stage of radix 2^2 has the factors of the stage before it, which may have been one of whole lines.
    whole = request.length if request.part is None else request.length * request.part.count
    return whole if radix_22 else request.length


def _constant_roots(points: int) -> str:
    angles = (2.0 * math.pi * m / points for m in range(points // 2))
    roots = ", ".join(f"complex({_exact(math.cos(angle))}, {_exact(-math.sin(angle))})" for angle in angles)
    return f"const complex CONSTANT_ROOTS[{points // 2}] = complex[{points // 2}]({roots});\n"


def _exact(number: float) -> str:
    return repr(round(number, 17) + 0.0 if abs(number) > 1e-15 else 0.0)  # multiples of a quarter turn come out exact
