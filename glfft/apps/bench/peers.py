"""What glfft is compared with, by name; timed in the same run on the same data."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from glfft.errors import OptionError

if TYPE_CHECKING:
    from glfft.apps.bench.frames import FramePeer
    from glfft.apps.bench.workload import Peer

# Module and function of each, and its arguments. Modules are imported when a name is asked for: the command
# line's help shows the names without waiting for numpy.
LIBRARIES = {
    "scipy": ("glfft.apps.bench.cpu", "scipy"),
    "pyfftw": ("glfft.apps.bench.cpu", "pyfftw"),
    "cufft": ("glfft.apps.bench.cufft", "cufft"),
    "vkfft": ("glfft.apps.bench.vulkan", "vkfft"),
    "vkdispatch": ("glfft.apps.bench.vulkan", "vkdispatch"),
    **{name: ("glfft.apps.bench.cpu", "textbook", name) for name in ("dft", "dit", "dif", "recursive")},
}
FRAMES = {
    "cufft-interop": ("glfft.apps.bench.cufft", "cufft_interop"),
    "numpy-round-trip": ("glfft.apps.bench.frames", "numpy_round_trip"),
}


@dataclass(frozen=True)
class Peers:
    libraries: Sequence["Peer"] = ()  # their transforms are timed beside glfft's
    frames: Sequence["FramePeer"] = ()  # their frame times are measured beside glfft's

    @property
    def descriptions(self) -> dict[str, str]:
        return {peer.name: peer.description for peer in (*self.libraries, *self.frames)}


def open_peers(names: Sequence[str]) -> Peers:
    """Get peers ready to be measured; with any frame time comes numpy's round trip. Raises OptionError where there is
    none of that name, MissingExtraError where it is not installed, ContextError where it has no device to run on.
    """
    check_names(names, (*LIBRARIES, *FRAMES), "There is no library '{}' to compare with")
    frames = [name for name in names if name in FRAMES]
    if frames:
        frames.append("numpy-round-trip")
    return Peers(
        libraries=[opened(*LIBRARIES[name]) for name in dict.fromkeys(names) if name in LIBRARIES],
        frames=[opened(*FRAMES[name]) for name in dict.fromkeys(frames)],
    )


def check_names(names: Sequence[str], known: Sequence[str], sentence: str) -> None:
    """Raise OptionError, with a sentence that has {} for the name, where a name is not known."""
    for name in names:
        if name not in known:
            near = get_close_matches(name.lower(), known, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"choose from {', '.join(known)}."
            raise OptionError(f"{sentence.format(name)}; {hint}")


def opened(module: str, kind: str, *arguments: str) -> Any:
    """What a function or class makes of some arguments, with its module imported only now."""
    return getattr(importlib.import_module(module), kind)(*arguments)
