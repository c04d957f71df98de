"""What a benchmark found, as numbers for programs and as a table for people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from glfft.timing import Timing


@dataclass(frozen=True)
class Result:
    """One algorithm at one shape.

    Attributes:
        algorithm: its name.
        shape: rows, columns of the 2-D transform.
        timing: of one forward transform.
        bytes_moved: read and written by its passes.
        snr_db: against float64 numpy.
        peers: other libraries' timings, by name, from the same run.
    """

    algorithm: str
    shape: tuple[int, int]
    timing: Timing
    bytes_moved: int
    snr_db: float
    peers: dict[str, Timing] = field(default_factory=dict)

    @property
    def gflops(self) -> float:
        """5 N log2 N floating-point operations, N = rows x columns, by convention whatever the algorithm does."""
        points = math.prod(self.shape)
        return 5.0 * points * math.log2(points) / (self.timing.microseconds * 1e3)

    @property
    def gbytes_per_s(self) -> float:
        """Bytes moved over time, in 10^9 bytes a second."""
        return self.bytes_moved / (self.timing.microseconds * 1e3)

    def ratio(self, peer: str) -> float:
        """The peer's time divided by ours: above 1 we are faster."""
        return self.peers[peer].microseconds / self.timing.microseconds

    def to_json(self) -> dict[str, Any]:
        """As plain data; times in microseconds. `snr_db` is None where the result is exact or not finite."""
        return {
            "algorithm": self.algorithm,
            "shape": list(self.shape),
            "batch": 1,
            "microseconds": self.timing.microseconds,
            "quartiles": list(self.timing.quartiles),
            "samples": self.timing.samples,
            "timer": self.timing.timer,
            "gflops": self.gflops,
            "gbytes_per_s": self.gbytes_per_s,
            "bytes_moved": self.bytes_moved,
            "snr_db": self.snr_db if math.isfinite(self.snr_db) else None,
            "peers": {
                name: {
                    "microseconds": timing.microseconds,
                    "ratio": self.ratio(name),
                    "quartiles": list(timing.quartiles),
                    "timer": timing.timer,
                }
                for name, timing in self.peers.items()
            },
        }


@dataclass(frozen=True)
class Report:
    """A whole run.

    Attributes:
        device: the renderer.
        setup: what else one needs to know to repeat it.
        results: in the order of the run.
        skipped: sentences on what could not be measured.
    """

    device: str
    setup: dict[str, Any]
    results: list[Result]
    skipped: list[str]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "device": self.device,
            "setup": self.setup,
            "results": [result.to_json() for result in self.results],
            "skipped": self.skipped,
        }

    def to_text(self) -> str:
        """As a table."""
        lines = [self.device]
        if self.results:
            timer = self.results[0].timing.timer
            fewest = min(result.timing.samples for result in self.results)
            most = max(result.timing.samples for result in self.results)
            samples = f"{most}" if fewest == most else f"{fewest} to {most}"
            lines.append(
                f"One forward 2-D transform, complex64: median of {samples} samples by {timer}, first call left out."
            )
            lines += [f"{name}: {text}" for name, text in self.setup["peers"].items()]
            lines += ["", *_table(self.results)]
            if self.setup["peers"]:
                lines += ["", "'x NAME' is that library's time divided by ours: above 1, glfft is faster."]
        return "\n".join(lines + [f"Skipped: {sentence}" for sentence in self.skipped])


def _table(results: Sequence[Result]) -> list[str]:
    peers = list(results[0].peers)
    rows = [["shape", "algorithm", "microseconds", "quartiles", "GFLOP/s", "GB/s", "dB"]]
    for peer in peers:
        rows[0] += [f"{peer} us", f"x {peer}"]
    for result in results:
        row = [
            f"{result.shape[0]}x{result.shape[1]}",
            result.algorithm,
            _three_digits(result.timing.microseconds),
            " to ".join(_three_digits(quartile) for quartile in result.timing.quartiles),
            _three_digits(result.gflops),
            _three_digits(result.gbytes_per_s),
            f"{result.snr_db:.1f}",
        ]
        for peer in peers:
            row += [_three_digits(result.peers[peer].microseconds), f"{result.ratio(peer):.2f}"]
        rows.append(row)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _three_digits(value: float) -> str:
    """Three significant digits at least, without an exponent."""
    decimals = max(0, 2 - math.floor(math.log10(value))) if value > 0 else 0
    return f"{value:.{decimals}f}"
