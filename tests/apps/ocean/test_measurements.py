"""The window of measurements: what is worked out beside the frames, and what it shows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import moderngl
import numpy as np
import pytest

from glfft.apps.ocean.controls import Controls
from glfft.apps.ocean.measurements import Measurements, draw_measurements
from glfft.apps.ocean.shot import Shot
from glfft.profiling.timing import Timing
from glfft.sea.compare import Comparison, Way
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation

pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SEA = OceanSettings(size=48, tile=250.0, cascades=2, foam_lifetime=0.1)


class Canvas:
    """Stands in for ImGui and its list of drawings."""

    Cond_ = SimpleNamespace(first_use_ever=0, always=1)
    WindowFlags_ = SimpleNamespace(no_resize=0)

    def __init__(self, *press: str) -> None:
        self.texts: list[str] = []
        self.drawn: list[tuple[str, Any]] = []
        self._press = press

    def begin(self, *_: Any) -> tuple[bool, bool]:
        return True, True

    def text(self, text: str) -> None:
        self.texts.append(text)

    text_disabled = separator_text = text

    def text_colored(self, _colour: Any, text: str) -> None:
        self.texts.append(text)

    def button(self, label: str) -> bool:
        return label in self._press

    def radio_button(self, label: str, chosen: bool) -> bool:
        return label in self._press

    def checkbox(self, label: str, checked: bool) -> tuple[bool, bool]:
        return label in self._press, checked != (label in self._press)

    def get_cursor_screen_pos(self) -> SimpleNamespace:
        return SimpleNamespace(x=10.0, y=20.0)

    def get_window_draw_list(self) -> Canvas:
        return self

    def get_color_u32(self, colour: tuple[float, ...]) -> int:
        assert all(0 <= each <= 1 for each in colour)
        return 0

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any) -> None:
            if name.startswith("add_"):
                assert all(np.isfinite(each).all() for each in arguments)
                self.drawn.append((name, arguments))

        return call


def test_a_running_sea_is_measured_and_drawn(ctx: moderngl.Context):
    clock = iter(np.arange(0.0, 1e4, 0.3))
    with OceanSimulation(ctx, SEA) as simulation:
        measurements = Measurements(simulation, lambda: float(next(clock)))
        canvas = Canvas()
        draw_measurements(canvas, Controls(Shot(SEA)), None, None, 1.0)
        assert "reading the sea" in canvas.texts
        for frame in range(60):
            simulation.update(5.0 + 0.06 * frame)
            measurements.step()
            ctx.finish()
            if measurements._work is not None:
                measurements._work.result()
        found = measurements.measured
        assert found is not None
        assert [each.name for each in found.checks][:2] == ["wave height", "peak period"]
        assert found.dispersion is not None
        draw_measurements(canvas, Controls(Shot(SEA)), found, None, 1.5)
        kinds = {name for name, _ in canvas.drawn}
        assert kinds == {"add_line", "add_circle", "add_circle_filled", "add_quad_filled", "add_rect_filled"}
        assert sum(text.startswith(("pass", "FAIL")) for text in canvas.texts) == 8
        measurements.release()


def test_another_way_is_asked_for_and_told():
    controls = Controls(Shot(SEA))
    timing = Timing(1500.0, (1400.0, 1600.0), 9, "gpu timestamps")
    canvas = Canvas("stockham##beside", "fused", "compare")
    found = Comparison((timing, timing), (2, 6), 4.0, 0.5, (0.5, 0.0))
    draw_measurements(canvas, controls, None, found, 1.0, ("auto", "stockham"))
    assert (controls.other, controls.compare) == (Way("stockham", "f4", fused=False), True)
    assert "1.50 ms and 1.50 ms, gpu timestamps" in canvas.texts
    assert "2 and 6 dispatches" in canvas.texts
    assert "apart by 0.5 mm rms, 4 mm at most" in canvas.texts
    draw_measurements(Canvas("float32"), controls, None, None, 1.0)
    assert controls.other == Way("stockham", "f2", fused=False)
