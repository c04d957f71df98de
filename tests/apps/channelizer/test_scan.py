"""Scans: levels of channels in order of frequency, from synthetic signals and from recordings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import moderngl
import numpy as np
import pytest

from glfft.apps.channelizer.scan import FLOOR_DB, Scan, ScanSettings
from glfft.channelizer.recordings import open_recording
from glfft.errors import GlfftError

SETTINGS = ScanSettings(channels=16, taps=4, rows=32)


def test_stations_are_where_they_are_made(ctx: moderngl.Context) -> None:
    with Scan(ctx, SETTINGS) as scan:
        assert scan.samples_a_second == 0
        scan.fill()
        assert scan.rows >= 32
        assert (scan.levels > FLOOR_DB).all()
        assert 0 <= scan.done - scan.rows * scan.row_samples < scan.row_samples == 4096
        assert scan.samples_a_second > 0
        # The strongest station is a QPSK at -0.21.
        strongest = (10 ** (scan.levels / 10)).mean(axis=0).argmax()
        assert strongest == min(range(16), key=lambda place: abs(scan.frequency_of(place) + 0.21))


def test_all_of_a_recording_is_seen(ctx: moderngl.Context, tmp_path: Path) -> None:
    path = tmp_path / "tone.cf32"
    path.write_bytes(np.exp(-2j * np.pi * 3 / 16 * np.arange(100_000)).astype(np.complex64).tobytes())
    settings = replace(SETTINGS, recording=open_recording(path, rate=1.6e6))
    with Scan(ctx, settings) as scan:
        scan.fill()
        assert scan.ended
        scan.step(1.0)
        # What is left of a row is not shown.
        assert scan.rows == 100_000 // scan.row_samples
        assert scan.row_samples == -(-100_000 // (32 * 8)) * 8
        assert scan.levels[-1, 5] == pytest.approx(0, abs=0.1)
        assert scan.rate == 1.6e6


def test_settings_that_make_no_sense_are_refused(ctx: moderngl.Context) -> None:
    with pytest.raises(GlfftError, match="decimation"):
        Scan(ctx, replace(SETTINGS, decimation=17))


@pytest.mark.parametrize("row_times", [1, 7, 64, 200])
def test_rows_are_means_wherever_blocks_end(ctx: moderngl.Context, row_times: int) -> None:
    settings = replace(SETTINGS, row_samples=row_times * 8, rows=9)
    with Scan(ctx, settings) as scan:
        power = np.random.default_rng(1).uniform(1, 2, (16, 500))
        for piece in np.split(power, [3, 10, 11, 137, 300], axis=1):
            scan._add(piece)
        count = 500 // row_times
        exact = power[:, : count * row_times].reshape(16, count, row_times).mean(axis=2).T[-9:]
        assert scan.rows == count
        assert scan.levels[-len(exact) :] == pytest.approx(10 * np.log10(exact), rel=1e-5)
