"""The tables of performance.md about sizes that are no powers of two.

Their data are performance-sizes.json, from `glfft bench --suite sizes --against cufft --json FILE`, and
performance-vkfft.json, VkFFT's times by case: microseconds, in place, forward and inverse in turn.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
_NOTHING = "–"

Result = dict[str, Any]


def results() -> list[Result]:
    """What performance-sizes.json holds of glfft, in the order of the suite."""
    return json.loads((HERE / "performance-sizes.json").read_text(encoding="utf-8"))["results"]


def vkfft() -> dict[str, float]:
    """VkFFT's times by case."""
    return json.loads((HERE / "performance-vkfft.json").read_text(encoding="utf-8"))["microseconds"]


def is_picture(result: Result) -> bool:
    """Whether it is a 2-D transform of complex numbers in a texture."""
    return len(result["axes"]) == 2 and not result["case"].endswith((" real", " cosine", " buffer"))


def is_of_lines(result: Result) -> bool:
    """Whether it is one of many 1-D transforms at once."""
    return result["case"].startswith("1-D") and not result["case"].endswith("x 1 buffer")


def geometric_mean(ratios: Iterable[float]) -> float:
    """Of positive numbers."""
    logarithms = [math.log(ratio) for ratio in ratios]
    return math.exp(sum(logarithms) / len(logarithms))


def _table(chosen: Callable[[Result], bool]) -> str:
    others = vkfft()
    rows: list[dict[str, str]] = []
    for result in filter(chosen, results()):
        own, peer, other = result["microseconds"], result["peers"].get("cufft", {}), others.get(result["case"])
        rows.append(
            {
                "µs": result["case"].replace("x", "×").replace("1-D", "1D").replace(" buffer", ", buffer"),
                "glfft": _time(own),
                "cuFFT": _time(peer.get("microseconds")),
                "VkFFT": _time(other),
                "cuFFT / glfft": _ratio(peer.get("microseconds"), own),
                "VkFFT / glfft": _ratio(other, own),
                "glfft, dB": _db(result),
                "cuFFT, dB": _db(peer),
            }
        )
    heads = [head for head in rows[0] if any(row[head] != _NOTHING for row in rows)]
    lines = [f"| {' | '.join(heads)} |", f"| --- |{' --: |' * (len(heads) - 1)}"]
    lines += [f"| {' | '.join(row[head] for head in heads)} |" for row in rows]
    return "\n".join(lines)


def _time(value: float | None) -> str:
    return _NOTHING if value is None else f"{value:#.3g}".rstrip(".") if value < 1000 else f"{value:.0f}"


def _ratio(theirs: float | None, own: float) -> str:
    return _NOTHING if theirs is None else f"{theirs / own:.2f}"


def _db(measured: Result) -> str:
    found = measured.get("snr_db")
    return _NOTHING if found is None else f"{found:.1f}"


TABLES: dict[str, Callable[[], str]] = {
    "pictures of all sizes": lambda: _table(is_picture),
    "lines of all lengths": lambda: _table(is_of_lines),
    "long lines": lambda: _table(lambda result: result["case"].endswith("x 1 buffer")),
    "real pictures": lambda: _table(lambda result: result["case"].endswith(" real")),
    "cosine transforms": lambda: _table(lambda result: result["case"].endswith(" cosine")),
    "volumes": lambda: _table(lambda result: len(result["axes"]) == 3),
}
