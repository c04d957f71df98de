"""The ocean in a window, with keys, mouse, panel and overlay."""

import time
from collections.abc import Generator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import glfw
import numpy as np
from numpy.typing import NDArray

from glfft import Plan
from glfft.apps.ocean.buoys import channel
from glfft.apps.ocean.controls import Controls, Readings, draw_panel, fly, key_lines, press
from glfft.apps.ocean.measurements import Measurements, draw_measurements
from glfft.apps.ocean.quality import AUTO, HIGH, MINIMAL, QUALITIES, Quality, Size, affordable, choose, explained
from glfft.apps.ocean.render import times_saved
from glfft.apps.ocean.scene import OceanScene, averaged, memory_for_picture
from glfft.apps.ocean.shot import Shot
from glfft.apps.ocean.sky import Weather
from glfft.apps.picture_files import read_picture
from glfft.apps.program_window import ProgramWindow
from glfft.errors import GlfftError
from glfft.overlay import HIDDEN, OPEN
from glfft.sea import waves
from glfft.sea.compare import Comparison, Way, compare
from glfft.sea.simulation import OceanSimulation
from glfft.sea.step import algorithms_for
from glfft.tuning.report import TunedPass
from glfft.ui.window import Window

_TUNING_SHARE, _LEAST_TUNING_MS = 0.1, 1.0  # of a frame's time for tuning, and ms that it may take in any case
_LEAST_GAIN = 1.02  # two measurements of one kernel differ by about as much


def show(shot: Shot, size: Size, overlay: bool = True, profile: str | None = None, trace: str | None = None) -> None:
    """Open a window of a size in screen units and show a shot until it is closed, or for the shot's frames, by its own
    time. `profile` is a .json or .csv file for the times of the last frames, `trace` a .trace.json file for their
    timeline. Raises DisplayError without a display, LimitError or ContextError if sea or window are too large for the
    device, OutputError if a file cannot be written.
    """
    with Window("glfft ocean", size) as window, ExitStack() as stack:
        _Show(window, shot, overlay, stack).run(profile, trace)


class _Show(ProgramWindow):
    _controls: Controls

    def __init__(self, window: Window, shot: Shot, overlay: bool, stack: ExitStack) -> None:
        self._ctx = window.ctx
        self._quality = choose(self._ctx, shot.quality, in_window=True)
        chosen = shot.any_size and shot.quality == AUTO and self._quality is MINIMAL
        settings = affordable(shot.settings) if chosen else shot.settings
        self._size_chosen = settings.size if settings != shot.settings else 0
        self._shot = shot = replace(shot, settings=settings)
        # Before anything is computed for the sea: if the device has no memory for it, this fails first.
        self._simulation = stack.enter_context(OceanSimulation(self._ctx, settings, algorithm=shot.algorithm))
        super().__init__("ocean", window, Controls(shot, OPEN if overlay else HIDDEN), stack)
        self._light_before = shot.weather()
        self._scene = self._scene_of(self._picture_size(), shot.weather(), self._quality)
        stack.callback(lambda: self._scene.release())
        # All that takes long: programs, and the foam of the time before.
        self._scene.prepare(self._simulation, shot.camera())
        self._simulation.update(shot.time)
        self._algorithms = algorithms_for(self._ctx, settings.size)
        self._step_ms: dict[str, float] = {}
        self._measurements = Measurements(self._simulation)
        stack.callback(self._measurements.release)
        self._comparison: Comparison | None = None
        self._tuning = TuningWhileShown()
        stack.callback(self._tuning.release)
        self._time, self._elapsed = shot.time, 0.0  # of the sea, and seconds since the frame before
        self._cursor = window.cursor

    def run(self, profile: str | None, trace: str | None) -> None:
        print(key_lines())
        if said := explained(self._ctx, self._shot.quality, self._quality, self._window.size, self._size_chosen):
            print(said)
        # A run of counted frames, or one that writes its times, is a measurement: nothing else runs beside it.
        tunes = self._shot.frames is None and profile is None and trace is None
        before = time.perf_counter()
        with times_saved(self._profiler, profile, trace):
            for frame, _ in enumerate(self._window.frames(self._shot.frames), 1):
                now = time.perf_counter()
                # After a long frame the sea and the camera go on from where they were.
                self._elapsed, before = min(now - before, 0.1), now
                if self._shot.frames is not None:
                    self._elapsed = 1 / self._shot.frames_per_second
                self._fly()
                self._obey()
                # The sea waits while nobody can see it: with a jump in time its foam would be built up anew.
                if not self._window.hidden:
                    self._draw(_TUNING_SHARE * self._elapsed if tunes else 0.0)
                    if not self._controls.paused:
                        self._time += self._elapsed
                for section in self._profiler.statistics().sections if frame % 20 == 0 else ():
                    if section.path[-1] == "waves":
                        self._step_ms[self._simulation.algorithm] = section.time.p50

    def _draw(self, tuning_seconds: float) -> None:
        controls = self._controls
        self._scene.resize(self._picture_size())
        self._scene.exposure_stops = controls.exposure
        with self._profiler.frame():
            # A sea that stands still need not be computed, but the time of its algorithm should go on being shown.
            with self._profiler.section("simulation"):
                self._simulation.update(self._time, profiler=self._profiler)
            camera, screen, size = controls.camera, self._ctx.screen, self._window.size
            self._scene.draw(self._simulation, camera, self._time, screen, self._profiler, size, seconds=self._elapsed)
            if controls.measured and self._layer is not None:
                with self._profiler.section("measurements"):
                    self._measure()
            if controls.screenshot:
                self._save_screenshot(self._whole_picture)
            if tuned := tuning_seconds > 0 and self._tuning.has_work(self._simulation.plans):
                with self._profiler.section("tuning"):
                    self._tuning.step(self._simulation.plans, max(tuning_seconds * 1e3, _LEAST_TUNING_MS))
            self._draw_over(self._draw_panels)
        if tuned and not self._tuning.has_work(self._simulation.plans):
            self._profiler.clear()  # times of other kernels, or with tuning beside them, must not count

    def _draw_panels(self, imgui: Any, scale: float) -> None:
        controls = self._controls
        if controls.panel:
            height, caution = self._simulation.significant_height, waves.too_few_waves(controls.settings)
            told = self._time, self._tuning.message, caution, self._quality.name
            readings = Readings(self._algorithms, self._step_ms, self._profiler.timer, height, *told)
            draw_panel(imgui, controls, readings, scale, self._window.size[0])
        if controls.measured:
            found, names = self._measurements.measured, list(self._algorithms)[:4]
            draw_measurements(imgui, controls, found, self._comparison, scale, names)

    def _measure(self) -> None:
        controls, simulation = self._controls, self._simulation
        self._measurements.step()
        if controls.compare:
            controls.compare = False
            try:
                shown = Way(simulation.algorithm)
                self._comparison = compare(self._ctx, simulation.settings, shown, controls.other, self._time)
            except GlfftError as error:
                controls.message = str(error)

    def _obey(self) -> None:
        controls, simulation = self._controls, self._simulation
        try:
            if controls.settings != simulation.settings:
                wanted, now = controls.settings, simulation.settings
                same_tiles = (wanted.size, wanted.tile, wanted.cascades) == (now.size, now.tile, now.cascades)
                (simulation.morph if controls.preset and same_tiles else simulation.configure)(wanted)
                self._light_before = self._scene.sky.weather
            if controls.algorithm != simulation.algorithm:
                simulation.set_algorithm(controls.algorithm)
                self._profiler.clear()
        except GlfftError as error:
            controls.settings, controls.algorithm = simulation.settings, simulation.algorithm
            controls.message = str(error)
        if controls.quality not in ("", self._quality.name):
            self._change_quality(QUALITIES[controls.quality])
        if controls.buoys != len(self._scene.buoys.anchors):
            self._scene.buoys.anchors = channel(controls.buoys, self._shot.first_camera())
        # The light goes from preset to preset with the sea.
        weather = self._light_before.towards(controls.weather, simulation.progress)
        if weather != self._scene.sky.weather:
            self._scene.sky.configure(weather)
        if self._layer is None:
            algorithm, message = controls.algorithm, f", {controls.message}" if controls.message else ""
            took = f" {self._step_ms[algorithm]:.2f} ms" if algorithm in self._step_ms else ""
            self._window.set_title(f"glfft ocean: wind {controls.settings.wind:.0f} m/s, {algorithm}{took}{message}")

    def _change_quality(self, quality: Quality) -> None:
        before, self._quality = self._quality, quality
        try:
            scene = self._scene_of(self._picture_size(), self._controls.weather, quality)
        except GlfftError as error:
            self._quality, self._controls.quality, self._controls.message = before, before.name, str(error)
            return
        self._scene.release()
        self._scene = scene
        self._profiler.clear()

    def _scene_of(self, size: Size, weather: Weather, quality: Quality) -> OceanScene:
        return OceanScene(self._ctx, size, weather, replace(quality, diffraction=self._shot.diffraction))

    def _whole_picture(self) -> NDArray[np.uint8]:
        """The picture drawn once more, at the window's full size, with all detail and without panel."""
        ctx, size, scene = self._ctx, self._window.size, self._scene
        samples = max(2, self._shot.supersampling)  # along each side of a pixel: of light and shade too
        fine = (size[0] * samples, size[1] * samples)
        with ExitStack() as stack:
            stack.callback(ctx.screen.use)
            stack.callback(lambda: self._scene.resize(self._picture_size()))
            if self._quality.plain:
                scene = stack.enter_context(self._scene_of(fine, scene.sky.weather, HIGH))
                scene.buoys.anchors = self._scene.buoys.anchors
                scene.exposure_stops = self._scene.exposure_stops
            scene.resize(fine)
            with memory_for_picture(ctx, fine):
                target = ctx.simple_framebuffer(fine, components=3)
            stack.callback(target.release)
            scene.draw(self._simulation, self._controls.camera, self._time, target)
            return averaged(read_picture(target), size)

    def _picture_size(self) -> Size:
        return self._quality.drawn(self._window.size, in_window=True)

    def _fly(self) -> None:
        window, layer = self._window, self._layer
        if layer is not None and layer.wants_keyboard:
            return
        cursor, before = window.cursor, self._cursor
        held = window.is_mouse_down(glfw.MOUSE_BUTTON_LEFT) or window.is_mouse_down(glfw.MOUSE_BUTTON_RIGHT)
        dragged = held and not (layer is not None and layer.wants_mouse)
        self._cursor = cursor
        moved = (cursor[0] - before[0], cursor[1] - before[1]) if dragged else (0, 0)
        fly(window, self._controls, self._elapsed, moved)

    def _press(self, key: int, modifiers: int) -> None:
        press(key, modifiers, self._controls, list(self._algorithms), self._quality.name)


class TuningWhileShown:
    """Tunes the plans of a sea one after the other; `message` tells the panel of progress and result, or is ""."""

    def __init__(self) -> None:
        self.message, self._budget_ms = "", 0.0
        self._plans: tuple[Plan, ...] = ()
        self._steps: Generator[bool, None, None] | None = None

    def has_work(self, plans: Sequence[Plan]) -> bool:
        return tuple(plans) != self._plans or self._steps is not None

    def step(self, plans: Sequence[Plan], budget_ms: float) -> None:
        """Tune for about `budget_ms`; with other plans than at the last step, tuning begins anew."""
        if tuple(plans) != self._plans:
            self.release()
            self._plans, self._steps, self.message = tuple(plans), self._tune(), ""
        self._budget_ms = budget_ms
        if self._steps is not None and not next(self._steps, False):
            self._steps = None

    def _tune(self) -> Generator[bool, None, None]:
        """Yields after each step but the last."""
        found: list[TunedPass] = []
        try:
            for index, plan in enumerate(self._plans):
                if index:
                    yield True
                with plan.background_tuner(quick=True) as tuner:
                    while not tuner.step(self._budget_ms):
                        self.message = f"tuning: {(index + tuner.share_done) / len(self._plans):.0%}"
                        yield True
                    found += tuner.report.passes
        except GlfftError as error:
            self.message = f"Tuning has stopped: {error}"
            return
        before = sum(each.before_microseconds for each in found)
        after = sum(each.after_microseconds for each in found)
        gained = before >= _LEAST_GAIN * after
        said = f"transforms {before / after:.2f} times as fast" if after and gained else "nothing faster was found"
        self.message = f"tuned: {said}" if found else ""

    def release(self) -> None:
        if self._steps is not None:
            self._steps.close()
            self._steps = None
