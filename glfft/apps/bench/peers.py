"""What glfft is compared with, by name; timed in the same run on the same data."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from glfft.errors import check_choice

if TYPE_CHECKING:
    from glfft.apps.bench.workload import Peer

# Module and function of each, and its arguments. Modules are imported when a name is asked for: the command
# line's help shows the names without waiting for numpy.
LIBRARIES = {
    "scipy": ("glfft.apps.bench.cpu", "scipy"),
    "pyfftw": ("glfft.apps.bench.cpu", "pyfftw"),
    "cufft": ("glfft.apps.bench.cufft", "cufft"),
    "vkfft": ("glfft.apps.bench.vulkan", "vulkan", "vkfft"),
    "vkdispatch": ("glfft.apps.bench.vulkan", "vulkan", "vkdispatch"),
    **{name: ("glfft.apps.bench.cpu", "textbook", name) for name in ("dft", "dit", "dif", "recursive")},
}
FRAMES = {
    "cufft-interop": ("glfft.apps.bench.cufft", "cufft_interop"),
    "numpy-round-trip": ("glfft.apps.bench.frames", "numpy_round_trip"),
}


@dataclass(frozen=True)
class Peers:
    libraries: Sequence["Peer"] = ()  # their transforms are timed beside glfft's
    frames: Sequence["Peer"] = ()  # their frame times are measured beside glfft's

    @property
    def descriptions(self) -> dict[str, str]:
        return {peer.name: peer.description for peer in (*self.libraries, *self.frames)}


def open_peers(names: Sequence[str]) -> Peers:
    """Get peers ready; frame times bring numpy's round trip. OptionError for other names, or what opening raises."""
    for name in names:
        check_choice("--against", name, (*LIBRARIES, *FRAMES))
    frames = [name for name in names if name in FRAMES]
    if frames:
        frames.append("numpy-round-trip")
    return Peers(
        libraries=[opened(*LIBRARIES[name]) for name in dict.fromkeys(names) if name in LIBRARIES],
        frames=[opened(*FRAMES[name]) for name in dict.fromkeys(frames)],
    )


def opened(module: str, kind: str, *arguments: str) -> Any:
    """What a function or class makes of some arguments, with its module imported only now."""
    return getattr(importlib.import_module(module), kind)(*arguments)
