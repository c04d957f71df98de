"""The chart: a ring of stacked columns."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("imgui_bundle")

from glfft.overlay.panel import ColumnChart
from glfft.overlay.shapes import Colour


def test_the_chart_is_a_ring_of_stacked_columns(ctx):
    """Columns in portions of any size, against the definition one texel at a time."""
    random = np.random.default_rng(3)
    count, rows, thickness, ceiling = 23, 17, 2.0, 5.0
    colours = (Colour(200, 10, 20), Colour(30, 220, 40), Colour(90, 91, 92), Colour(250, 240, 230, 100))
    chart = ColumnChart(ctx, count, rows, thickness)
    assert chart.restyle(colours, ceiling)
    assert not chart.restyle(colours, ceiling)
    frames = 61
    series, marker = random.uniform(0.0, 3.0, (2, frames)), random.uniform(0.0, 7.0, frames)
    series[random.random(series.shape) < 0.2] = np.nan
    marker[random.random(frames) < 0.2] = np.nan
    total = np.nansum(series, axis=0) + random.uniform(0.0, 1.0, frames)
    at = 0
    while at < frames:
        until = min(frames, at + int(random.integers(1, count + 1)))
        chart.push(series[:, at:until], total[at:until], marker[at:until])
        at = until
    shown = np.frombuffer(chart.texture.read(), np.uint8).reshape(rows, count, 4)
    shown = np.roll(shown, -round(chart.start * count), axis=1)
    for column, frame in enumerate(range(frames - count, frames)):
        tops = [*np.cumsum(np.nan_to_num(series[:, frame])), total[frame]]
        line = min(marker[frame] * rows / ceiling, rows - thickness)
        for row in range(rows):
            height = row + 0.5
            index = next((k for k, top in enumerate(tops) if height < top * rows / ceiling), None)
            expected = np.zeros(4) if index is None else np.array(colours[index], float)
            if line <= height < line + thickness:
                alpha = colours[-1].alpha / 255
                over = np.array((*(alpha * channel for channel in colours[-1][:3]), 255 * alpha))
                expected = over + (1 - alpha) * expected
            assert np.abs(shown[row, column] - expected).max() <= 0.51
    assert chart.restyle(colours, 2 * ceiling)
    assert not any(chart.texture.read())
    chart.texture.release()
