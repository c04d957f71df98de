"""What glfft is compared with, by name; timed in the same run on the same data."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from glfft.errors import OptionError

if TYPE_CHECKING:
    from glfft.apps.bench.contender import Peer
    from glfft.apps.bench.frames import FramePeer

# Module and class of each, and the arguments to make one. Modules are imported when a name is asked for: the command
# line's help shows the names without waiting for numpy.
LIBRARIES = {
    "scipy": ("glfft.apps.bench.cpu", "Scipy"),
    "pyfftw": ("glfft.apps.bench.cpu", "Pyfftw"),
    "cufft": ("glfft.apps.bench.cufft", "Cufft"),
    "vkfft": ("glfft.apps.bench.vulkan", "Vkfft"),
    "vkdispatch": ("glfft.apps.bench.vulkan", "Vkdispatch"),
    **{name: ("glfft.apps.bench.cpu", "Textbook", name) for name in ("dft", "dit", "dif", "recursive")},
}
FRAMES = {
    "cufft-interop": ("glfft.apps.bench.interop", "CufftInterop"),
    "numpy-round-trip": ("glfft.apps.bench.frames", "NumpyRoundTrip"),
}


@dataclass(frozen=True)
class Peers:
    """What glfft is compared with in a run."""

    libraries: Sequence[Peer] = ()  # their transforms are timed beside glfft's
    frames: Sequence[FramePeer] = ()  # their frame times are measured beside glfft's

    @property
    def descriptions(self) -> dict[str, str]:
        """Versions and settings by name."""
        return {peer.name: peer.description for peer in (*self.libraries, *self.frames)}


def open_peers(names: Sequence[str]) -> Peers:
    """Get peers ready to be measured. The round trip through numpy comes along with any frame time. Raises OptionError
    where there is none of that name, MissingExtraError where it is not installed, ContextError where it has no device
    to run on.
    """
    known = (*LIBRARIES, *FRAMES)
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"choose from {', '.join(known)}."
            raise OptionError(f"There is no library '{name}' to compare with; {hint}")
    frames = [name for name in names if name in FRAMES]
    if frames:
        frames.append("numpy-round-trip")
    return Peers(
        libraries=[_open(*LIBRARIES[name]) for name in dict.fromkeys(names) if name in LIBRARIES],
        frames=[_open(*FRAMES[name]) for name in dict.fromkeys(frames)],
    )


def _open(module: str, kind: str, *arguments: str) -> Any:
    return getattr(importlib.import_module(module), kind)(*arguments)
