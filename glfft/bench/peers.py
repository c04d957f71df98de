"""What to compare with, by name: timed in the same run on the same data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import partial

from glfft.bench.contender import Peer
from glfft.bench.cpu import Pyfftw, Scipy, Textbook
from glfft.bench.cufft import Cufft
from glfft.bench.reference import REFERENCES
from glfft.errors import OptionError

PEERS: dict[str, Callable[[], Peer]] = {
    "scipy": Scipy,
    "pyfftw": Pyfftw,
    "cufft": Cufft,
    **{name: partial(Textbook, name) for name in REFERENCES},
}


def open_peers(names: Sequence[str]) -> list[Peer]:
    """Get libraries ready.

    Raises:
        OptionError: there is none of that name.
        MissingExtraError: it is not installed.
        ContextError: it has no device to run on.
    """
    for name in names:
        if name not in PEERS:
            near = get_close_matches(name, PEERS, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"choose from {', '.join(PEERS)}."
            raise OptionError(f"There is no library '{name}' to compare with; {hint}")
    return [PEERS[name]() for name in dict.fromkeys(names)]
