"""The accuracy of every algorithm by length, for accuracy.md: `python docs/make_accuracy.py [--figure FILE.png]`.

Transforms of random lines, and scipy's in float32 if it is installed, are compared with float64 numpy. The figure needs
the extra `plot`.
"""

from __future__ import annotations

import argparse
import importlib
import io
import math
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import accumulate, pairwise
from pathlib import Path
from statistics import fmean
from textwrap import wrap
from typing import Any

import moderngl
import numpy as np

from glfft import fft
from glfft.algorithms.registry import algorithm_names
from glfft.apps.signal_to_noise import U, random_complex, snr_db
from glfft.errors import GlfftError, LimitError, OutputError, import_extra
from glfft.files import check_writable, write_whole
from glfft.gl.context import require_context

# So many points are transformed at every length: the results for short lines are averages over many of them.
_LONGEST = 16  # log2
_POINTS = 1 << _LONGEST

_FITTED = 0.6  # to transforms whose twiddle factors are rounded once

COMPUTED = "auto, twiddles computed in the shader"
PEER = "scipy.fft in float32"

Curve = list[float | None]
_matplotlib = partial(import_extra, "matplotlib.figure", "plot", "Drawing needs matplotlib")


def measure(ctx: moderngl.Context, lengths: Sequence[int]) -> dict[str, Curve]:
    """Signal-to-noise ratios of the forward transform in dB, for lengths that are powers of two, by algorithm; also for
    `COMPUTED`, and for `PEER` if scipy is installed. None stands for a line that does not fit the device.
    """
    transforms: dict[str, Any] = {name: partial(fft, ctx=ctx, algorithm=name) for name in algorithm_names()}
    transforms[COMPUTED] = partial(fft, ctx=ctx, twiddles="computed")
    with suppress(ImportError):
        # It works in float32; numpy's did not before numpy 2.
        transforms[PEER] = importlib.import_module("scipy.fft").fft
    curves: dict[str, Curve] = {name: [] for name in transforms}
    for length in lengths:
        lines = random_complex((max(1, _POINTS // length), length), seed=length)
        exact = np.fft.fft(lines.astype(np.complex128))
        for name, transform in transforms.items():
            try:
                curves[name].append(snr_db(transform(lines), exact))
            except LimitError:
                curves[name].append(None)
    return curves


def expected(length: int) -> float:
    """The ratio in dB for an error of 0.6 * 2^-24 * sqrt(log2 length), which grows with the root of the stages."""
    return -20.0 * math.log10(_FITTED * U * math.sqrt(math.log2(length)))


def table(lengths: Sequence[int], curves: Mapping[str, Curve]) -> str:
    """The ratios as a Markdown table: a row for each curve, a column for each length."""
    head = ["dB at", *(f"{length}" for length in lengths)]
    named = {f"`{name}`" if name in algorithm_names() else name: curve for name, curve in curves.items()}
    named["0.6 · 2⁻²⁴ · √log₂ N"] = [expected(length) for length in lengths]
    rows = [[name, *("–" if each is None else f"{each:.1f}" for each in curve)] for name, curve in named.items()]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] + ["--:"] * len(lengths), *rows])


def groups(curves: Mapping[str, Curve], within: float = 0.25) -> list[tuple[list[str], Curve]]:
    """Curves that lie on each other, everywhere less than `within` dB apart: their names, and the longest curve."""
    gathered: list[tuple[list[str], Curve]] = []
    for name, curve in sorted(curves.items(), key=lambda item: item[1].count(None)):
        for names, other in gathered:
            if all(a is None or b is None or abs(a - b) < within for a, b in zip(curve, other, strict=True)):
                names.append(name)
                break
        else:
            gathered.append(([name], curve))
    return gathered


def draw(lengths: Sequence[int], curves: Mapping[str, Curve], device: str, path: str) -> None:
    """Draw what `measure` returned for some lengths on a device, in any format that matplotlib writes. Raises
    MissingExtraError where matplotlib is not installed, OutputError where the file cannot be written.
    """
    ink, faint = "#1f2933", "#7b8794"
    # Paul Tol's "vibrant" scheme: colour-blind people can tell its colours apart.
    colours = ("#0077bb", "#ee7733", "#009988", "#ee3377", "#33bbee", "#cc3311", "#997700")
    figure = _matplotlib().Figure(figsize=(9, 5.2), layout="constrained")
    axes = figure.subplots()
    axes.plot(lengths, [expected(each) for each in lengths], color=faint, linestyle=(0, (1, 2)), linewidth=1.5)
    labels = [(expected(lengths[-1]), "$0.6 \\cdot 2^{-24} \\sqrt{\\log_2 N}$", faint)]
    for index, (names, curve) in enumerate(groups(curves)):
        shown = [(length, value) for length, value in zip(lengths, curve, strict=True) if value is not None]
        colour = ink if names == [PEER] else colours[index % len(colours)]
        style = "--" if names == [PEER] else "-"
        axes.plot(*zip(*shown, strict=True), color=colour, linestyle=style, marker="o", markersize=3.5, linewidth=1.6)
        labels.append((shown[-1][1], "\n".join(wrap(", ".join(names), 44, break_on_hyphens=False)), colour))
    axes.axhline(130, color=faint, linewidth=0.8)
    axes.text(lengths[0], 129.8, "at least 130 dB is tested for", va="top", color=faint, fontsize=8)
    axes.set_xscale("log", base=2)
    axes.set_xticks(lengths, [str(length) for length in lengths])
    axes.tick_params(labelsize=8, colors=ink)
    axes.minorticks_off()
    axes.set_xlabel("N, points in a line", fontsize=9)
    axes.set_ylabel("against float64, dB (higher is better)", fontsize=9)
    axes.set_title(f"Accuracy of float32 transforms of random lines, on {device}", loc="left", fontsize=10, color=ink)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#e4e7eb", linewidth=0.6)
    axes.set_axisbelow(True)
    places: Any = dict.fromkeys(("xycoords", "textcoords"), ("axes fraction", "data"))
    labels.sort()
    lines = [text.count("\n") + 1.4 for _, text, _ in labels]
    heights = apart([value for value, *_ in labels], [sum(pair) / 2 for pair in pairwise(lines)])
    for at, (value, text, colour) in zip(heights, labels, strict=True):
        line = {"arrowstyle": "-", "color": colour, "linewidth": 0.6, "relpos": (0, 0.5)}
        axes.annotate(text, (1.0, value), (1.06, at), color=colour, fontsize=8, va="center", arrowprops=line, **places)
    encoded = io.BytesIO()
    try:
        figure.savefig(encoded, dpi=130, format=Path(path).suffix[1:] or "png")
    except ValueError as error:  # a suffix that matplotlib does not know
        raise OutputError(f"Cannot write {path}: {' '.join(str(error).split())}.") from error
    write_whole(path, encoded.getvalue())


def apart(heights: Sequence[float], distances: Sequence[float]) -> list[float]:
    """Rising heights moved as little as keeps each so far above the one before."""
    # This is isotonic regression by the means of blocks: without the distances to keep, heights only have to rise.
    offsets, blocks = [*accumulate(distances, initial=0.0)], list[list[float]]()
    for height, offset in zip(heights, offsets, strict=True):
        blocks.append([height - offset])
        while len(blocks) > 1 and fmean(blocks[-2]) > fmean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    risen = (fmean(block) for block in blocks for _ in block)
    return [height + offset for height, offset in zip(risen, offsets, strict=True)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, draw the figure if one is asked for, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figure", metavar="FILE.png", help="draw the figure too")
    parser.add_argument("--longest", type=int, default=14, metavar="LOG2", help="log2 of the longest line (default 14)")
    options = parser.parse_args(arguments)
    if not 1 <= options.longest <= _LONGEST:
        parser.error(f"argument --longest: {options.longest} must be from 1 to {_LONGEST}")
    try:
        if options.figure:
            # Fail before the work, not after it.
            _matplotlib()
            check_writable(options.figure)
        ctx = require_context(None)
        lengths = [2**exponent for exponent in range(1, options.longest + 1)]
        curves = measure(ctx, lengths)
        print(table(lengths, curves))
        if options.figure:
            draw(lengths, curves, ctx.info["GL_RENDERER"], options.figure)
    except GlfftError as error:
        print(f"accuracy: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
