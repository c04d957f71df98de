"""What del Mundo, Adhinarayanan and Feng conclude, section by section, and what our times say of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from glfft.papers import channelizer_stages
from glfft.papers.chapter import FASTER, NO_DIFFERENCE, SLOWER, Conclusion, Measured
from glfft.papers.del_mundo_kernels import (
    BASELINE,
    BEST_IN_DOUBLE,
    BEST_NAME,
    COMPILERS,
    IN_CONCERT,
    IN_DOUBLE,
    UNCOALESCED,
    UNIT_STRIDE,
)
from glfft.papers.grid import LIBRARIES, Grid, Point
from glfft.papers.published import DEL_MUNDO

DEVICES = ("HD 5870", "HD 6970", "HD 7970")

# How many times as fast the paper's kernels became (sections IV-B, V and IV-E).
PRELOADED = dict(zip(DEVICES, (2.7, 3.1, 2.1), strict=True))
FASTER_THAN_CPU = dict(zip(DEVICES, (4.3, 4.9, 6.6), strict=True))
VECTORS_OF_FOUR = 1.2

_ALIKE = (1 - NO_DIFFERENCE, 1 + NO_DIFFERENCE)
_NO_GAIN = (1 - NO_DIFFERENCE, math.inf)
_WITHIN = f"Less than {NO_DIFFERENCE:.0%} counts as no difference."

# Sentences on what differs between the paper and these kernels.
_NEIGHBOURS = "The paper does not say which points lie side by side in an access; here they follow each other."
_IMAGES = "A texel has one complex number here, and two in the paper."
_SERIES = "GLSL has no sine or cosine in double precision: here they are power series."
_CPU = "The CPU and its library are this machine's, and not FFTW with four threads on an i5-2400."

_BEST_IN_UNIFORMS = BEST_NAME.replace("CM-L", "CM-K")
_CPU_LIBRARIES = [name for name in LIBRARIES if name != "cufft"]


def conclusions(measured: Measured) -> list[Conclusion]:
    """The paper's conclusions, in the order of the report."""
    grid = measured["batches"]
    return [
        channelizer_stages.conclusion(measured["channelizer"]),
        *_registers_and_local_memory(grid),
        *_access_patterns(grid),
        _unrolling(grid),
        *_vector_accesses(grid),
        _buffers_and_images(grid),
        *_constant_memory(grid),
        _best_set(grid),
        *_the_cpu(measured),
        *_libraries(grid),
    ]


def _compared(
    grid: Grid,
    claim: str,
    ratio: str,
    over: Iterable[str],
    under: Iterable[str],
    range: tuple[float, float],
    remark: str = "",
    *,
    lines: tuple[int, ...],
    published: Mapping[Point, float] | None = None,
    reason: str = "",
    proxy: str = "",
) -> Conclusion:
    """A claim about the fastest of some rows against the fastest of others, and its lines."""
    return Conclusion(
        claim,
        ratio,
        published or {},
        grid.ratios(list(over), list(under)),
        range,
        reason,
        remark,
        "transforms",
        tuple(DEL_MUNDO.line(line) for line in lines),
        proxy,
    )


def _registers_and_local_memory(grid: Grid) -> list[Conclusion]:
    """Section IV-B: points in registers and in local memory."""
    return [
        _compared(
            grid,
            'RP is "a substantial optimization for all platforms", of 2.1 to 3.1 times (IV-B).',
            "baseline / RP",
            [BASELINE.name],
            ["RP"],
            (2.0, math.inf),
            "It counts as substantial from twice on.",
            published=PRELOADED,
            lines=(126,),
        ),
        _compared(
            grid,
            'Of local memory alone, "LM-CT provides the best performance" (IV-B).',
            "LM-CT / LM-CC or LM-CM",
            ["LM-CT"],
            ["LM-CC", "LM-CM"],
            FASTER,
            lines=(131,),
        ),
        _compared(
            grid,
            '"LM-CM performs the worst" (IV-B).',
            "LM-CM / LM-CC or LM-CT",
            ["LM-CM"],
            ["LM-CC", "LM-CT"],
            SLOWER,
            lines=(131,),
        ),
        _compared(
            grid,
            '"Performing computation with unit-stride (row-major) is better than stride-4 (column-major)" (IV-B).',
            "LM-CC with unit stride / with stride 4",
            [UNIT_STRIDE.name],
            ["LM-CC"],
            FASTER,
            "The paper does not show it, and does not say of which kernel it is so.",
            lines=(131,),
        ),
    ]


def _access_patterns(grid: Grid) -> list[Conclusion]:
    """Section IV-C: coalesced accesses."""
    return [
        _compared(
            grid,
            'A coalesced access pattern "does not improve performance in isolation" (IV-C).',
            "CGAP / baseline",
            ["CGAP"],
            [BASELINE.name],
            _NO_GAIN,
            _WITHIN,
            lines=(135,),
        ),
        _compared(
            grid,
            'Its value "does not manifest until combined with on-chip memory optimizations" (IV-C).',
            "the best set / the same without CGAP",
            [BEST_NAME],
            [UNCOALESCED.name],
            FASTER,
            lines=(135,),
        ),
    ]


def _unrolling(grid: Grid) -> Conclusion:
    """Section IV-D: loops unrolled."""
    return _compared(
        grid,
        '"No improvement was shown for LU, CSE, or IL" (IV-D).',
        "LU / baseline",
        ["LU"],
        ["baseline"],
        _NO_GAIN,
        f"{_WITHIN} Of CSE and IL nothing is tested: {COMPILERS}.",
        lines=(139,),
    )


def _vector_accesses(grid: Grid) -> list[Conclusion]:
    """Section IV-E: accesses of several numbers."""
    return [
        _compared(
            grid,
            'Accesses of 16 bytes (VASM4) give "the best performance across all GPUs yielding a 1.2x performance '
            'increase" (IV-E).',
            "baseline / VASM4",
            [BASELINE.name],
            ["VASM4"],
            (1.0, math.inf),
            _NEIGHBOURS,
            published=dict.fromkeys(DEVICES, VECTORS_OF_FOUR),
            lines=(143,),
        ),
        _compared(
            grid,
            '"We hit a point of diminishing returns when using vector types greater than 16-bytes" (IV-E).',
            "VASM8 or 16 / VASM4",
            ["VASM8", "VASM16"],
            ["VASM4"],
            _NO_GAIN,
            f"{_WITHIN} {_NEIGHBOURS}",
            lines=(143,),
        ),
    ]


def _buffers_and_images(grid: Grid) -> Conclusion:
    """Section IV-F: buffers and images."""
    images, buffers = ([row.name for row in IN_CONCERT if row.name.startswith(kind)] for kind in ("IM", "GLOB"))
    return _compared(
        grid,
        'A "regular global memory buffer is better than using image memory" (IV-F).',
        "the best with buffers / the best with images",
        buffers,
        images,
        FASTER,
        lines=(151,),
        proxy=_IMAGES,
    )


def _constant_memory(grid: Grid) -> list[Conclusion]:
    """Section IV-F: factors in constant memory."""
    return [
        _compared(
            grid,
            'Constant memory gives "a significant improvement in combination" (IV-F).',
            "GLOB+RP+LM-CM with CM-K or CM-L / without",
            [BEST_NAME, _BEST_IN_UNIFORMS],
            [BEST_IN_DOUBLE.name],
            FASTER,
            "Without constants, threads compute the factors in double precision, as in the paper.",
            lines=(151,),
            proxy=_SERIES,
        ),
        _compared(
            grid,
            'That "goes counter to the results in Figure 4", of constant memory alone (IV-F).',
            "CM-K or CM-L / baseline",
            ["CM-K", "CM-L"],
            [IN_DOUBLE.name],
            _NO_GAIN,
            f"{_WITHIN} The baseline is that with factors in double precision, as in the paper.",
            lines=(151,),
            proxy=_SERIES,
        ),
        _compared(
            grid,
            '"There are no differences between" CM-K and CM-L (IV-F).',
            "CM-K / CM-L in the best set",
            [_BEST_IN_UNIFORMS],
            [BEST_NAME],
            _ALIKE,
            _WITHIN,
            lines=(151,),
        ),
    ]


def _best_set(grid: Grid) -> Conclusion:
    """Section IV-F: the best set of optimisations."""
    return _compared(
        grid,
        f'"On all platforms, the best set of optimizations is" {BEST_NAME} (IV-F).',
        "it / the best of the others of figure 5",
        [BEST_NAME],
        [row.name for row in IN_CONCERT if row.name not in (BEST_NAME, _BEST_IN_UNIFORMS)],
        (0.0, 1 + NO_DIFFERENCE),
        f"{_WITHIN} With CM-K in place of CM-L it is not among the others.",
        lines=(151,),
        proxy=f"He chose the set a stage at a time, and ours is set against all others of figure 5. {_IMAGES}",
    )


def _the_cpu(measured: Measured) -> list[Conclusion]:
    """Sections III-G, IV-G and V: the GPU beside the CPU."""
    # A software renderer's transforms run on the CPU themselves: there are no two devices to compare.
    grid = Grid() if measured.software else measured["batches"]
    reason = "The device is a software renderer: its transforms run on the CPU too." if measured.software else ""
    return [
        _compared(
            grid,
            '"Our GPU baseline performs poorly compared to the CPU" (IV-G).',
            "the CPU's library / baseline",
            _CPU_LIBRARIES,
            [IN_DOUBLE.name],
            FASTER,
            reason=reason,
            lines=(155,),
            proxy=f"{_CPU} {_SERIES}",
        ),
        _compared(
            grid,
            "The best set outperforms FFTW with four threads on a CPU by 4.3, 4.9 and 6.6 times (III-G, V).",
            "the CPU's library / the best set",
            _CPU_LIBRARIES,
            [BEST_NAME],
            (1.0, math.inf),
            published=FASTER_THAN_CPU,
            reason=reason,
            lines=(159, 114),
            proxy=_CPU,
        ),
    ]


def _libraries(grid: Grid) -> list[Conclusion]:
    """Section IV-A: libraries on GPUs and CPUs."""
    no_cufft = grid.why_without("cufft")
    return [
        _compared(
            grid,
            'CPUs "provide significantly lower performance than GPU counterparts" (IV-A, figure 6).',
            "cuFFT / the CPU's library",
            ["cufft"],
            _CPU_LIBRARIES,
            FASTER,
            reason=no_cufft,
            lines=(122,),
            proxy="The paper compares five libraries on several cards, and gives no numbers. Here there are cuFFT "
            "and the CPU's library of one machine.",
        ),
        _compared(
            grid,
            '"Vendor libraries (CUFFT and clAMDFft) are better tuned than existing open source libraries" (IV-A).',
            "the best set / cuFFT",
            [BEST_NAME],
            ["cufft"],
            SLOWER,
            reason=no_cufft,
            lines=(122,),
            proxy="The open library of the paper is AppleFFT. Ours in its place is the paper's own best set.",
        ),
    ]
