"""The transform of del Mundo, Adhinarayanan and Feng, Accelerating Fast Fourier Transform for Wideband Channelization:
16 points, with each of their optimisations on its own and in concert. For study.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.family import Family
from glfft.algorithms.passes import Choice, PassSpec
from glfft.algorithms.regions import Points
from glfft.algorithms.tables import Table
from glfft.algorithms.work_groups import most_threads
from glfft.gl.source import Define

LENGTH = 16

_THREADS = 64  # threads of a work group, four to a line where each has one column (section III-G)

# What local memory (in GLSL: shared memory) is used for (section III-I): where points are between operations, unless
# they are preloaded into registers, and what threads exchange them through.
LOCAL_MEMORY = {
    "none": ("target", "target"),
    "communication": ("target", "shared"),
    "computation and communication": ("shared", "shared"),
    "computation, no transpose": ("shared", "nothing"),
}

# Where twiddle factors are (sections III-E, III-H), and the file that says so to shaders.
TWIDDLES = {
    "computed": "factor_computed",
    "computed in double": "factor_computed_in_double",
    "argument": "factor_from_roots",
    "literal": "factor_from_roots",
}

WIDTHS = (2, 4, 8, 16)

# How the points of a batch lie in memory: line after line, as in any image; or as the paper has them for coalesced
# accesses (section III-C), the first rows of all lines of a work group, then the second ones, and so on; or for vectors
# (section III-F), as many lines side by side as a vector has floats, all real parts before all imaginary parts.
LAYOUTS = ("lines", "groups", "planar")


@dataclass(frozen=True)
class FourByFourConfig:
    """A kernel: which optimisations it has. The defaults are none of them, the paper's baseline."""

    preload: bool = False  # points are in registers while a thread computes (RP), instead of in the target's memory
    # what shared memory is for, of LOCAL_MEMORY: the exchange between threads (LM-CM), that and computing (LM-CC), or
    # computing alone, where outputs are put in order as they are stored (LM-CT)
    local_memory: str = "none"
    # computed by each thread, in uniforms (CM-K, a kernel's argument) or in a constant array (CM-L)
    twiddles: str = "computed"
    # floats in one access to source or target (VASM); without `coalesced`, also a thread's columns, up to four numbers
    width: int = 2
    coalesced: bool = False  # a group's threads read and write neighbouring points, through its working memory (CGAP)
    unrolled: bool = False  # loops over a thread's reads and writes are written out (LU); compilers may do so anyway
    # at any width a line has four threads, as in the paper, which read and write together, through its working memory
    four_threads: bool = False
    # of the points in memory, of LAYOUTS; images are in lines. Planar, `width` is the lines side by side (VAVM).
    layout: str = "lines"
    unit_stride: bool = False  # a thread's points lie side by side in shared memory, instead of four apart

    @property
    def exists(self) -> bool:
        """Whether its optimisations go together: what is computed in shared memory is not in registers, points in
        registers are read together through shared memory, and a point is read as it is where points are not in lines.
        """
        together = self.coalesced or self.four_threads
        if self.preload and (self.local_memory.startswith("computation") or (together and self.local_memory == "none")):
            return False
        computes_in_shared = self.local_memory == "computation and communication"
        if (self.unit_stride and not computes_in_shared) or (self.four_threads and (self.coalesced or self.width == 2)):
            return False
        widths = {"lines": WIDTHS, "groups": (2,), "planar": (4, 8)}[self.layout]
        return self.width in widths and not (together and self.layout != "lines")

    @property
    def computes_in_target(self) -> bool:
        """Whether unfinished points are in the target's memory."""
        keeps, exchanges = LOCAL_MEMORY[self.local_memory]
        return exchanges == "target" or (keeps == "target" and not self.preload)

    @property
    def computes_factors(self) -> bool:
        return self.twiddles.startswith("computed")

    @property
    def lines_a_value(self) -> int:
        """Lines side by side that are one line of values to the shader."""
        return self.width if self.layout == "planar" else 1

    def columns(self, components: int) -> int:
        """Columns of a thread, with that many floats in a value."""
        alone = self.coalesced or self.four_threads or self.layout != "lines"
        return 1 if alone else min(self.width // components, 4)


class _Pass(PassSpec):
    """It reads buffers as shader storage, where its wide accesses are, and has twiddle factors of its own."""

    @property
    def fetches_buffer(self) -> bool:
        return False

    @property
    def constants(self) -> dict[str, Define]:
        """With those that say where points are between operations, and what the transposition goes through."""
        assert self.choice is not None
        kernel = self.choice.config
        assert isinstance(kernel, FourByFourConfig)
        keeps, exchanges = LOCAL_MEMORY[kernel.local_memory]
        if kernel.preload:
            keeps = "registers"
        # A target may hold less than the points, and a snippet may write it elsewhere. Then they are kept out of it.
        holds = not self._has("store") and self.writes not in (Points.REAL, Points.HERMITIAN)
        if not holds:
            keeps = "registers" if keeps == "target" else keeps
            exchanges = "shared" if exchanges == "target" else exchanges
        return super().constants | {
            "KEPT_IN_REGISTERS": keeps == "registers",
            "KEPT_IN_TARGET": keeps == "target",
            "TRANSPOSES": exchanges != "nothing",
            "EXCHANGED_IN_TARGET": exchanges == "target",
            "EXCHANGED_IN_PLACE": keeps == exchanges,
            "FOUND_IN_TARGET": (exchanges if keeps == "registers" else keeps) == "target",
            "USES_SHARED": "shared" in (keeps, exchanges),
            "USES_TARGET": "target" in (keeps, exchanges),
            "TARGET_HOLDS_POINTS": holds,
        }

    @property
    def tables_read(self) -> tuple[tuple[int, ...], tuple[Table, ...]]:
        return (), ()


# The best of all, on each of the paper's three devices.
BEST = FourByFourConfig(True, "communication", "literal", 2, True)


class FourByFour(Family[FourByFourConfig]):
    """Batches of 16 points as 4 x 4, four threads a line."""

    name = "four-by-four"
    summary = "16 points as 4 x 4 on four threads, with each of the paper's optimisations (del Mundo)"
    tunable = True
    study = True
    config_type = FourByFourConfig

    def supports(self, request: AxisRequest) -> str | None:
        if request.length != LENGTH:
            return f"lines of {LENGTH} points, the only ones that the paper's kernels are for"
        if request.storage.double:
            return "single precision"
        return f"work groups of {_THREADS} invocations" if most_threads(request) < _THREADS else None

    def default(self, request: AxisRequest) -> FourByFourConfig:
        width = request.storage.components
        twiddles = "computed" if request.computed_twiddles else BEST.twiddles
        return replace(BEST, twiddles=twiddles, width=width, coalesced=request.along == "x")

    def fits(self, config: FourByFourConfig, request: AxisRequest) -> bool:
        return config.layout == "lines" and self.can_run(config, request)

    def can_run(self, config: FourByFourConfig, request: AxisRequest) -> bool:
        """Whether a kernel can do a request whose points lie as it wants them."""
        storage, rows = request.storage, request.along == "x"
        able = config.twiddles != "computed in double" or request.device.limits.float64
        able = able and config.exists and config.computes_factors == request.computed_twiddles
        # Images that take any format are not read.
        readable = storage.buffer or not config.computes_in_target
        if config.layout == "lines":
            # Textures are read and written a texel at a time, and so are points that do not follow each other.
            widths = WIDTHS if storage.buffer and rows else (storage.components,)
            fit = config.width in widths and config.width % storage.components == 0
            suits = fit and readable and (rows or not config.coalesced)
        else:
            full = rows and request.lines % (_THREADS // 4) == 0 and storage.components == 2
            suits = full and (storage.buffer and request.layers is None if config.layout == "planar" else readable)
        return able and suits and self.supports(request) is None

    def candidates(self, request: AxisRequest, most: int) -> list[FourByFourConfig]:
        first = self.default(request)
        every = [each for each in every_config() if self.fits(each, request) and each != first]
        # Those most like the best first.
        return [first, *sorted(every, key=lambda each: _differences(each, first))][:most]

    def neighbours(self, config: FourByFourConfig, request: AxisRequest) -> list[FourByFourConfig]:
        return [each for each in every_config() if _differences(each, config) == 1 and self.fits(each, request)]

    def passes(self, request: AxisRequest, config: FourByFourConfig) -> list[PassSpec]:
        planar, vectors = config.layout == "planar", config.width // 4
        at_once = 1 if planar else config.width // request.storage.components
        columns = config.columns(request.storage.components)
        lines = _THREADS * columns // 4
        across, deep = request.device.limits.in_rows(-(-request.lines // lines))
        shared = LENGTH * lines * config.lines_a_value * request.storage.value_bytes
        # Synchronisations of the transposition, and where threads read and write points together.
        keeps, exchanges = LOCAL_MEMORY[config.local_memory]
        together = (3 if config.preload else 2) * (config.coalesced or config.four_threads)
        value = "mat2x4" if vectors == 1 else "mat4"
        parts = (("value", value), ("VECTORS", vectors), ("PART_VECTORS", request.points * vectors))
        spec = _Pass(
            shader="fft/study/four_by_four.comp",
            request=request,
            defines=(
                ("THREADS", _THREADS),
                ("LINES_A_GROUP", lines),
                ("LINES", request.lines),
                ("GROUPS_ACROSS", across),
                ("EVERY_LINE_EXISTS", "true" if across * deep * lines == request.lines else "false"),
                ("COLUMNS_EACH", columns),
                ("SHARED_BY_LINE", config.four_threads),
                ("SHARED_BY_GROUP", config.coalesced),
                ("AT_ONCE", at_once),
                ("ACCESSES", max(LENGTH * columns // (4 * at_once), 1)),
                ("UNROLLED", config.unrolled),
                ("GROUPED", config.layout == "groups"),
                ("UNIT_STRIDE", config.unit_stride),
                ("DIRECTION", request.direction),
                ("SCALE", request.scale),
                *(parts if planar else ()),
            ),
            groups=(across, request.layers or 1, deep),
            threads=_THREADS,
            generated=_generated(config, request.direction),
            radices=(4, 4),
            uniforms=(("glfft_roots", _roots(request.direction)),) * (config.twiddles == "argument"),
            shared_bytes=shared if config.local_memory != "none" else 0,
            barriers=1 + (keeps == exchanges and not config.preload) + together,
            choice=Choice(self.name, config),
            stores_where_it_loads=True,
        )
        return [spec]

    def from_fields(self, fields: Mapping[str, Any], length: int) -> FourByFourConfig:
        kernel = super().from_fields(fields, length)
        if length != LENGTH or kernel not in every_config():
            raise ValueError("no kernel has such values")
        return kernel

    def describe(self, config: FourByFourConfig) -> str:
        found = ["registers"] if config.preload else []
        if config.local_memory != "none":
            found.append(f"shared memory: {config.local_memory}")
        found += [f"twiddles {config.twiddles}", f"{config.width} floats at once"]
        named = ("coalesced", "unrolled", "four_threads", "unit_stride")
        found += [name.replace("_", " ") for name in named if getattr(config, name)]
        return ", ".join([*found, *([f"points in {config.layout}"] if config.layout != "lines" else [])])


def every_config(layouts: Sequence[str] = ("lines",)) -> list[FourByFourConfig]:
    """All combinations that exist with one of these layouts, whatever they need."""
    yes_or_no = (False, True)
    choices = (yes_or_no, LOCAL_MEMORY, TWIDDLES, WIDTHS, yes_or_no, yes_or_no, yes_or_no, layouts, yes_or_no)
    return [each for each in itertools.starmap(FourByFourConfig, itertools.product(*choices)) if each.exists]


def _differences(one: FourByFourConfig, other: FourByFourConfig) -> int:
    return sum(getattr(one, field.name) != getattr(other, field.name) for field in fields(FourByFourConfig))


def _roots(direction: int) -> tuple[tuple[float, float], ...]:
    # Products of a row and a column are 0 to 9. Multiples of a quarter turn come out exact.
    eighths = [math.cos(math.pi * e / 8) if e % 8 != 4 else 0.0 for e in range(14)]
    return tuple((eighths[e], direction * eighths[abs(e - 4)]) for e in range(10))


def _generated(kernel: FourByFourConfig, direction: int) -> tuple[tuple[str, str], ...]:
    """What its shader includes by other names than those of files."""
    written = ", ".join(f"complex({real!r}, {imaginary!r})" for real, imaginary in _roots(direction))
    roots = {
        "literal": f"const complex glfft_roots[10] = complex[10]({written});\n",
        "argument": "uniform complex glfft_roots[10];\n",
    }
    computed = f'#include "fft/study/{TWIDDLES[kernel.twiddles]}.glsl"\n'
    factors = ("generated/factor.glsl", roots.get(kernel.twiddles, "") + computed)
    if kernel.layout == "planar":
        storage = ("generated/storage.glsl", '#include "fft/study/planar_storage.glsl"\n')
        return factors, ("generated/workplace.glsl", ""), storage
    return factors, ("generated/workplace.glsl", '#include "fft/study/workplace.glsl"\n')


FAMILIES = (FourByFour(),)
