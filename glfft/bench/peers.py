"""What to compare with, by name: timed in the same run on the same data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial

from glfft.bench.contender import Peer
from glfft.bench.cpu import Pyfftw, Scipy, Textbook
from glfft.bench.cufft import Cufft
from glfft.bench.frames import FramePeer, NumpyRoundTrip
from glfft.bench.interop import CufftInterop
from glfft.bench.reference import REFERENCES
from glfft.errors import OptionError

PEERS: dict[str, Callable[[], Peer]] = {
    "scipy": Scipy,
    "pyfftw": Pyfftw,
    "cufft": Cufft,
    **{name: partial(Textbook, name) for name in REFERENCES},
}


FRAME_PEERS: dict[str, Callable[[], FramePeer]] = {
    CufftInterop.name: CufftInterop,
    NumpyRoundTrip.name: NumpyRoundTrip,
}


@dataclass(frozen=True)
class Peers:
    """What to compare with in a run.

    Attributes:
        libraries: their transforms are timed beside ours.
        frames: their frame times are measured beside ours.
    """

    libraries: Sequence[Peer] = ()
    frames: Sequence[FramePeer] = ()

    @property
    def descriptions(self) -> dict[str, str]:
        """Versions and settings by name."""
        return {peer.name: peer.description for peer in (*self.libraries, *self.frames)}


def open_peers(names: Sequence[str]) -> Peers:
    """Get ready what is to be compared. Numpy's round trip comes with every other frame.

    Raises:
        OptionError: there is none of that name.
        MissingExtraError: it is not installed.
        ContextError: it has no device to run on.
    """
    known = (*PEERS, *FRAME_PEERS)
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"choose from {', '.join(known)}."
            raise OptionError(f"There is no library '{name}' to compare with; {hint}")
    frames = [name for name in dict.fromkeys(names) if name in FRAME_PEERS]
    if frames and NumpyRoundTrip.name not in frames:
        frames.append(NumpyRoundTrip.name)
    return Peers(
        [PEERS[name]() for name in dict.fromkeys(names) if name in PEERS], [FRAME_PEERS[name]() for name in frames]
    )
