"""What is timed against each other: libraries, and one of them ready to transform one workload."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Protocol

from glfft.bench.workload import Workload
from glfft.errors import MissingExtraError
from glfft.tuning.timing import Subject, Timing

# The ways of a transform: into other memory, or over its own input.
OUT_OF_PLACE = "out_of_place"
IN_PLACE = "in_place"


class Contender(Protocol):
    """An implementation with its plan and data."""

    @property
    def ways(self) -> Mapping[str, Subject]:
        """What to time: OUT_OF_PLACE, and IN_PLACE where it can."""
        ...

    def snr_db(self) -> float:
        """How right it is, against float64 numpy."""
        ...

    def release(self) -> None:
        """Free plan and data."""


class Peer(Protocol):
    """A library that can do the same transforms."""

    name: str

    @property
    def description(self) -> str:
        """Version and settings, for the record."""
        ...

    def contender(self, workload: Workload) -> Contender:
        """Plan the unscaled forward transforms of a workload.

        Raises:
            LimitError: it cannot do them here.
        """
        ...


def import_library(module: str, how_to_install: str, peer: str) -> ModuleType:
    """Import what a peer needs.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingExtraError(
            f"--against {peer} needs {package}, which cannot be imported; install it with: {how_to_install}."
        ) from error


@dataclass(frozen=True)
class Measured:
    """What was measured of an implementation.

    Attributes:
        ways: its timings, OUT_OF_PLACE and perhaps IN_PLACE.
        snr_db: against float64 numpy; in both ways the worse.
    """

    ways: Mapping[str, Timing]
    snr_db: float

    @property
    def best(self) -> Timing:
        """The faster of the ways."""
        return min(self.ways.values(), key=lambda timing: timing.microseconds)
