"""What is compared: a `Peer` is a library, a `Contender` is its transform of one workload, ready to be timed."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Protocol

from glfft.apps.bench.workload import Workload
from glfft.errors import MissingExtraError
from glfft.profiling.timing import Subject, Timing

# The two ways to run a transform: its result goes to other memory, or over its input.
OUT_OF_PLACE = "out_of_place"
IN_PLACE = "in_place"


class Contender(Protocol):
    """A transform with its plan and its data."""

    @property
    def ways(self) -> Mapping[str, Subject]:
        """What to time: OUT_OF_PLACE, and IN_PLACE if it can do that."""
        ...

    def snr_db(self) -> float:
        """The signal-to-noise ratio against float64 numpy, in dB: the lower one of both ways."""
        ...

    def release(self) -> None:
        """Free the plan and the data."""


class Peer(Protocol):
    """A library that can do the same transforms."""

    name: str

    @property
    def description(self) -> str:
        """Version and settings, for the record."""
        ...

    def contender(self, workload: Workload) -> Contender:
        """Plan the unscaled forward transforms of a workload. Raises LimitError where it cannot do them here."""
        ...


def import_library(module: str, how_to_install: str, peer: str) -> ModuleType:
    """Import a module that a peer needs. Raises MissingExtraError where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingExtraError(
            f"--against {peer} needs {package}, which cannot be imported; install it with: {how_to_install}."
        ) from error


@dataclass(frozen=True)
class Measured:
    """What was measured of one contender, or of one kind of frame."""

    # its timings: OUT_OF_PLACE and perhaps IN_PLACE, or those of frames (see `glfft.apps.bench.frames`)
    ways: Mapping[str, Timing]
    # its signal-to-noise ratio against float64 numpy, in dB: the lowest of all ways; None if it was not compared
    snr_db: float | None

    @property
    def best(self) -> Timing:
        """The timing of the fastest way."""
        return min(self.ways.values(), key=lambda timing: timing.microseconds)
