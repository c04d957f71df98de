"""The signal to try a channelizer with: its stations are where they should be, whatever the blocks."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from glfft.channelizer import recordings
from glfft.channelizer.recordings import STATIONS, Station, Wideband

COUNT = 1 << 17


def signal_of(*stations: Station, block: int = COUNT, count: int = COUNT) -> np.ndarray:
    return np.concatenate([*itertools.islice(Wideband(block, stations), count // block)])


@pytest.mark.parametrize("station", [replace(each, period=min(each.period, 20_000.0)) for each in STATIONS], ids=str)
def test_a_station_has_its_energy_within_its_width(station: Station, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recordings, "_NOISE", 0.0)
    spectrum = np.abs(np.fft.fft(signal_of(station) * np.hanning(COUNT))) ** 2
    away = np.abs((np.fft.fftfreq(COUNT) - station.frequency + 0.5) % 1 - 0.5)
    room = {"qpsk": 0.75, "tone": 0.0}.get(station.kind, 0.55) * station.width + 0.001
    assert spectrum[away < room].sum() > 0.98 * spectrum.sum()
    # All of the width is used.
    if station.width:
        assert spectrum[away < 0.2 * station.width].sum() < 0.9 * spectrum.sum()


def test_blocks_do_not_matter_to_stations_and_seeds_do(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not np.array_equal(next(iter(Wideband(64, seed=1))), next(iter(Wideband(64, seed=2))))
    assert np.array_equal(next(iter(Wideband(64))), next(iter(Wideband(64))))
    monkeypatch.setattr(recordings, "_NOISE", 0.0)
    one, several = (signal_of(*STATIONS, block=block, count=1 << 13) for block in (1 << 13, 1 << 10))
    assert np.allclose(one, several, rtol=0, atol=1e-6)
