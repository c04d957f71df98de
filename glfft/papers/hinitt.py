"""Hinitt and Kocak, GPU-based FFT for WirelessHD: streams of transforms, their steps, and the receiver they aim at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glfft.algorithms.storage import STORAGES
from glfft.bench.cases import Case
from glfft.papers import hinitt_batches, hinitt_claims, hinitt_receiver, hinitt_steps
from glfft.papers.chapter import Chapter, Conclusion, Figure, Measured, Table
from glfft.papers.grid import Grid, Point, Spread
from glfft.papers.hinitt_receiver import ERRORS_DB
from glfft.papers.hinitt_steps import (
    BREAKDOWN,
    DEADLINE,
    EIGHT,
    FIXED,
    GFLOPS,
    HALF,
    LOCKED,
    ORDERED,
    ORIGINAL,
    OVERLAPPED,
    PADDED,
    PLAIN,
    RADIX_2,
    RADIX_8,
    STEPS,
    TWO_GPUS,
    over_deadline,
)
from glfft.papers.hinitt_streams import step_maker
from glfft.papers.run import Maker, Run
from glfft.papers.sampled_transforms import POINTS

_ALGORITHMS = (RADIX_2, RADIX_8, PADDED, "auto")

BATCHES = (1, 16, 256, 2048, 8192, 16384)
QUICK_BATCHES = (1, 256)

# Transforms of a stream's block, by whether the renderer is software.
STREAM_BATCHES = {False: 16384, True: 256}


class Hinitt(Chapter):
    """Batches on the device, streams with transfers, and the whole receiver."""

    name = "hinitt"
    title = "Hinitt and Kocak, GPU-Based FFT Computation for Multi-Gigabit WirelessHD Baseband Processing (2010)"
    measures = (
        "Transforms of 512 points: in batches that stay on the device; in streams, where samples go up and spectra "
        "come down, one step of the paper after the other; in one batch divided over streams, with the paper's "
        "kernels; and the receiver that it aims at, from samples to bits."
    )
    published_on = "GeForce GTX 260, CUDA"
    numbers = (*hinitt_steps.NUMBERS, *hinitt_batches.NUMBERS)

    def measure(self, run: Run) -> dict[str, Grid]:
        batches = QUICK_BATCHES if run.quick else BATCHES
        count = STREAM_BATCHES[run.software] // (4 if run.quick else 1)
        # A software renderer takes a minute for a larger one.
        most = 2048 if run.software else batches[-1]
        on_device = run.time({batch: _on_device(run, batch) for batch in batches if batch <= most})
        streams = run.time(
            {
                count: {
                    **{step.name: step_maker(run.ctx, step, count) for step in STEPS},
                    **{name: _a_transform(make, count) for name, make in run.libraries(_case(count)).items()},
                }
            }
        )
        return {
            "batches": on_device,
            "streams": streams,
            **hinitt_receiver.measure(run),
            **hinitt_batches.measure(run, count),
        }

    def tables(self, measured: Measured) -> list[Table]:
        published = {step.name: {"GTX 260": step.published} for step in STEPS}
        streams, batches = measured["streams"], measured["batches"]
        return [
            Table(
                "Published",
                f"Microseconds a transform on a {self.published_on}, with transfers (tables 4 and 6).",
                "device",
                {"cuFFT at first": {"GTX 260": ORIGINAL}, **published, "two GPUs": {"GTX 260": TWO_GPUS}},
            ),
            Table(
                "Where the time goes, published",
                f"Microseconds a transform on a {self.published_on} (tables 2 and 3).",
                "part",
                BREAKDOWN,
            ),
            Table(
                "Operations a second, published",
                f"10⁹ of them on a {self.published_on}, by the paper's formula, 5 N log₂ N over the time (table 6).",
                "device",
                {name: {"GTX 260": number} for name, (_, number) in GFLOPS.items()},
            ),
            Table(
                "Streams here",
                f"Times a transform, with transfers, as multiples of those of {streams.reference} on the same machine, "
                "whose numbers stay where they are.",
                "transforms a block",
                streams.relative(streams.reference),
            ),
            Table(
                "Batches here",
                f"Times on the device as multiples of those of {batches.reference} on the same machine.",
                "batch",
                batches.relative(batches.reference),
            ),
            Table(
                "The receiver here",
                f"Times a symbol, with transfers, as multiples of the {DEADLINE * 1e3:.2f} ns that the standard has "
                "for one. Its 2.538 billion samples a second are kept up with below 1.",
                "symbols a block",
                {row: {p: over_deadline(v) for p, v in cells.items()} for row, cells in _rows(measured["receiver"])},
            ),
            Table(
                "Wrong bits here",
                f"Share of wrong bits of the receiver in white noise, Eb/N0 {ERRORS_DB:g} dB.",
                "samples",
                dict(_rows(measured["errors"])),
            ),
            *hinitt_batches.tables(measured),
        ]

    def conclusions(self, measured: Measured) -> list[Conclusion]:
        return hinitt_claims.conclusions(measured)

    def figures(self, measured: Measured) -> list[Figure]:
        streams = measured["streams"]
        pairs = {"plain": PLAIN, "mapped": LOCKED, "overlapped": OVERLAPPED, "16-bit": HALF, "8-bit": FIXED}
        pairs |= {"8 points": EIGHT, "order": ORDERED}
        return [
            Figure(
                "One step after the other",
                "time a transform / with plain buffers",
                {"steps": {name: step.published / PLAIN.published for name, step in pairs.items()}},
                {
                    "steps": {
                        name: ratio
                        for name, step in pairs.items()
                        for ratio in streams.ratios([step.name], [PLAIN.name]).values()
                    }
                },
                points="step",
            ),
            hinitt_batches.figure(measured),
        ]


class _PerTransform:
    """A batch, timed as it times itself, with the time divided by its transforms."""

    def __init__(self, subject: Any, count: int) -> None:
        self.timer = subject.timer
        self._subject, self._count = subject, count

    def prepare(self) -> None:
        self._subject.prepare()

    def sample(self) -> float:
        return self._subject.sample() / self._count


def _case(batch: int) -> Case:
    return Case((batch, POINTS), axes=(1,), storage=STORAGES["buffer"])


def _a_transform(make: Maker, count: int) -> Maker:
    return lambda stack: _PerTransform(make(stack), count)


def _on_device(run: Run, batch: int) -> dict[str, Maker]:
    case = _case(batch)
    makers = {**run.plans(case, _ALGORITHMS), **hinitt_batches.on_device(run, case), **run.libraries(case)}
    return {name: _a_transform(make, batch) for name, make in makers.items()}


def _rows(grid: Grid) -> list[tuple[str, Mapping[Point, Spread]]]:
    return [
        (row, {point: grid.values[row, point] for point in grid.points if (row, point) in grid.values})
        for row in grid.rows
    ]
