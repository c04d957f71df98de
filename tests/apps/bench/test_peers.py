"""What to compare with, by name."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest
from support.cuda import PretendCuda

from glfft.apps.bench.cpu import REFERENCES
from glfft.apps.bench.peers import FRAMES, LIBRARIES, open_peers
from glfft.errors import OptionError


def test_peers_go_by_the_names_they_are_asked_for_by(monkeypatch: pytest.MonkeyPatch) -> None:
    PretendCuda().install(monkeypatch)
    fftw = SimpleNamespace(fftw_version="", __version__="")
    monkeypatch.setitem(sys.modules, "pyfftw", fftw)  # pyright: ignore[reportArgumentType]
    devices = [SimpleNamespace(device_name="a card")]
    vulkan = SimpleNamespace(get_devices=lambda: devices, make_context=lambda **_: None, __version__="")
    monkeypatch.setitem(sys.modules, "vkdispatch", vulkan)  # pyright: ignore[reportArgumentType]
    peers = open_peers([*LIBRARIES, *FRAMES])
    assert [peer.name for peer in peers.libraries] == list(LIBRARIES)
    assert [peer.name for peer in peers.frames] == list(FRAMES)


def test_a_library_nobody_knows_is_an_error() -> None:
    with pytest.raises(OptionError, match=r"one of scipy, pyfftw, cufft, .*cufft-interop"):
        open_peers(["xyz"])


def test_a_name_given_twice_is_measured_once_and_numpy_comes_with_frames() -> None:
    peers = open_peers(["scipy", "numpy-round-trip", "scipy", "numpy-round-trip"])
    assert [peer.name for peer in peers.libraries] == ["scipy"]
    assert [peer.name for peer in peers.frames] == ["numpy-round-trip"]
    assert set(peers.descriptions) == {"scipy", "numpy-round-trip"}


def test_all_textbook_transforms_are_offered() -> None:
    assert [name for name, (_, kind, *_) in LIBRARIES.items() if kind == "textbook"] == list(REFERENCES)
