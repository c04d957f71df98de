"""What is given by mistake is refused in one sentence of glfft's, which names it, and not in Python's words."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

import moderngl
import numpy as np
import pytest

import glfft
from glfft.channelizer import Channelizer, FilterBank, Synthesizer
from glfft.errors import GlfftError, check_flag, real_number
from glfft.overlay import Overlay
from glfft.sea.bake import Bake
from glfft.sea.compare import Way, compare
from glfft.sea.fields import OceanTwin
from glfft.sea.many import ManySeas
from glfft.sea.maps import SeaMaps
from glfft.sea.measured import MeasuredSpectrum, analyse
from glfft.sea.monitor import SeaMonitor
from glfft.sea.presets import preset
from glfft.sea.queries import SeaQueries
from glfft.sea.settings import OceanSettings
from glfft.sea.settings_file import read_settings, settings_text, write_settings
from glfft.sea.simulation import OceanSimulation
from glfft.sea.step import OceanStep
from glfft.streaming import Stream, file_samples, regroup, wav_samples

SEA = OceanSettings(size=16)
LOOPING = OceanSettings(size=16, loop=10.0)
DECIMATED = FilterBank.design(4, 2, synthesis_taps=12)
BLOCK: tuple[int, str] = (8, "c8")
wrong: Any = "x"
nothing: Any = None


def open_file() -> Any:
    """The number of a file that is open, which must not be read and closed."""
    return os.open(__file__, os.O_RDONLY)


CASES: dict[str, Callable[[moderngl.Context], object]] = {
    "wait": lambda ctx: glfft.Plan(ctx, (4, 4), wait=wrong),
    "axes": lambda ctx: glfft.Plan(ctx, (4, 8), axes=(1, 0), real=True),  # numpy would halve axis 0
    "axes of a volume": lambda ctx: glfft.Plan(ctx, (4, 4, 8), axes=(-1, 0, 1), real=True),
    "wait of a convolution": lambda ctx: glfft.Convolution(ctx, (4, 4), (2, 2), wait=wrong),
    "settings": lambda ctx: preset("storm", wrong),
    "settings, none of them": lambda ctx: ManySeas(ctx, 3),  # pyright: ignore[reportArgumentType]
    "depth": lambda ctx: SeaQueries(ctx, SEA, depth=wrong),
    "depth, not one": lambda ctx: SeaQueries(ctx, SEA, depth=np.zeros(3)),  # pyright: ignore[reportArgumentType]
    "ring": lambda ctx: SeaQueries(ctx, SEA, most=1, ring=1001),  # a billion would take all memory
    "most": lambda ctx: SeaQueries(ctx, SEA, most=10**30),
    "blended": lambda ctx: SeaQueries(ctx, SEA, blended=wrong),
    "bank": lambda ctx: Channelizer(ctx, wrong),
    "bank of a synthesizer": lambda ctx: Synthesizer(ctx, wrong),
    "staggered": lambda ctx: FilterBank(2, 2, np.ones(4), staggered=wrong),
    "attenuation": lambda ctx: FilterBank.design(4, attenuation=wrong),
    "first": lambda ctx: compare(ctx, SEA, wrong, Way()),
    "second": lambda ctx: compare(ctx, SEA, Way(), nothing),
    "samples": lambda ctx: compare(ctx, SEA, Way(), Way(), samples=0),
    "blocks": lambda ctx: Stream(ctx, print, block=BLOCK, result=BLOCK).run(np.zeros(8, "c8")),  # one, not several
    "blocks, none": lambda ctx: Stream(ctx, print, block=BLOCK, result=BLOCK).run(nothing),
    "drop": lambda ctx: Stream(ctx, print, block=BLOCK, result=BLOCK).run([], drop=np.zeros(2)),  # pyright: ignore[reportArgumentType]
    "samples of a channelizer": lambda ctx: next(Channelizer(ctx, FilterBank.design(4)).run(nothing)),
    "channels of a synthesizer": lambda ctx: next(Synthesizer(ctx, DECIMATED).run(nothing)),
    "samples, none": lambda ctx: regroup(nothing, 4),
    "file, raw": lambda ctx: list(file_samples(open_file(), "f4")),
    "file, of a spectrum": lambda ctx: glfft.spectrum.load(open_file()),
    "file, no name": lambda ctx: wav_samples("a\0b"),
    "file, of a profile": lambda ctx: glfft.Profiler(ctx).save(open_file()),
    "file, of a plan": lambda ctx: glfft.Plan(ctx, (4, 4)).export(open_file()),
    "file, of settings": lambda ctx: write_settings(open_file(), SEA),
    "settings, not one": lambda ctx: settings_text(wrong),
    "seeds": lambda ctx: ManySeas(ctx, SEA, seeds=3),  # pyright: ignore[reportArgumentType]
    "formats": lambda ctx: Bake(SEA, "", 0, 1, formats=3),  # pyright: ignore[reportArgumentType]
    "columns": lambda ctx: MeasuredSpectrum((0.1, 0.2), density=wrong),
    "segment": lambda ctx: analyse(np.zeros(99), np.zeros(99), np.zeros(99), wrong),
    "real": lambda ctx: glfft.Convolution(ctx, (4, 4), (2, 2), real=wrong),
    "flip": lambda ctx: glfft.Convolution(ctx, (4, 4), (2, 2), flip=np.zeros(2)),  # pyright: ignore[reportArgumentType]
    "kernel_per_layer": lambda ctx: glfft.Convolution(ctx, (4, 4), (2, 2), kernel_per_layer=wrong),
    "window": lambda ctx: glfft.PhaseCorrelation(ctx, (4, 4), window=np.zeros(2)),  # pyright: ignore[reportArgumentType]
    "periodic": lambda ctx: glfft.PeakFinder(ctx, (4, 4), periodic=np.zeros(2)),  # pyright: ignore[reportArgumentType]
    "normalised": lambda ctx: glfft.correlate(np.eye(4), np.eye(2), normalised=wrong),
    "direct": lambda ctx: Stream(ctx, print, block=BLOCK, result=BLOCK, direct=wrong),
    "mapped": lambda ctx: Stream(ctx, print, block=BLOCK, result=BLOCK, mapped=wrong),
    "block": lambda ctx: Stream(ctx, print, block=(8, nothing), result=BLOCK),
    "dtype": lambda ctx: file_samples(__file__, nothing),
    "sequence of tiles": lambda ctx: OceanStep(ctx, wrong),
    "sequence of tiles, not one": lambda ctx: OceanStep(ctx, SEA),  # pyright: ignore[reportArgumentType]
    "fused": lambda ctx: OceanStep(ctx, [SEA], fused=wrong),
    "step": lambda ctx: SeaMaps(wrong),
    "layer": lambda ctx: Overlay(ctx, glfft.Profiler(ctx), layer=wrong),
    "depth of a timeline": lambda ctx: glfft.Profiler(ctx).timeline(depth=wrong),
    "last": lambda ctx: glfft.Profiler(ctx).timeline(last=wrong),
    "call": lambda ctx: glfft.Profiler(ctx).before_next_frame(wrong),
    "simulation": lambda ctx: SeaMonitor(wrong),
    "file": lambda ctx: read_settings(open_file()),
    "frames": lambda ctx: Bake(SEA, "", 0, wrong),
    "frames, not whole": lambda ctx: Bake(SEA, "", 0, 2.5),  # pyright: ignore[reportArgumentType]
    "frames a second": lambda ctx: Bake(SEA, "", 0, 1, frames_per_second=wrong),
    "start": lambda ctx: Bake(SEA, "", 0, 1, start=wrong),
    "time": lambda ctx: OceanTwin(SEA).evaluate(wrong),
}
# Of a step and of a simulation.
OF_A_STEP: dict[str, Callable[[OceanStep], object]] = {
    "sequence of tiles": lambda step: step.configure(wrong),
    "no cascades": lambda step: step.configure([OceanSettings(size=48, cascades=2)]),
    "time": lambda step: step.run(np.zeros(3)),  # pyright: ignore[reportArgumentType]
    "foam's step": lambda step: SeaMaps(step).age_foam(wrong),
    "amplitudes": lambda step: step.set_amplitudes(0, wrong),
    "seas of 'x' tiles": lambda step: SeaMaps(step, wrong),
}
OF_A_SIMULATION: dict[str, Callable[[OceanSimulation], object]] = {
    "dt": lambda sea: sea.update(1.0, dt=wrong),
    "dt, not a number": lambda sea: sea.update(1.0, dt=float("nan")),
    "profiler": lambda sea: sea.update(0.0, profiler=wrong),
    "steps": lambda sea: sea.settle(0.0, wrong),
    "steps, none": lambda sea: sea.settle(0.0, 0),
    "lifetimes": lambda sea: sea.build_up_foam(0.0, wrong),
    "time of a change": lambda sea: sea.morph(SEA, wrong),
}


def refused(name: str, call: Callable[[], object]) -> None:
    """Fails unless a call is refused in a sentence that names what is wrong."""
    with pytest.raises(GlfftError) as caught:
        call()
    assert re.search(rf"(?i)\b{re.escape(name.split(',')[0].split(' of a ')[0])}", str(caught.value))
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("name", CASES)
def test_arguments_of_a_wrong_kind_are_refused(ctx: moderngl.Context, name: str) -> None:
    refused(name, lambda: CASES[name](ctx))


def test_arguments_of_a_step_are_refused(ctx: moderngl.Context) -> None:
    with OceanStep(ctx, [SEA]) as step:
        for name, call in OF_A_STEP.items():
            refused(name, lambda call=call: call(step))
        step.run(0.0)


def test_arguments_of_a_simulation_are_refused(ctx: moderngl.Context) -> None:
    with OceanSimulation(ctx, LOOPING) as simulation:
        simulation.update(0.0)
        for name, call in OF_A_SIMULATION.items():
            refused(name, lambda call=call: call(simulation))
        simulation.update(0.1)


def test_flags_are_pythons_or_numpys() -> None:
    assert [check_flag("flag", each) for each in (True, False, np.True_, np.False_, 1, 0)] == [True, False] * 3
    for each in ("x", None, 2, 1.0, [], np.zeros(2), "True"):
        with pytest.raises(glfft.errors.OptionError, match=r"flag is .* and must be True or False\.$"):
            check_flag("flag", each)


def test_what_is_no_number_is_in_no_range() -> None:
    assert [real_number(each) for each in (2, np.float32(0.5), np.array(3))] == [2.0, 0.5, 3.0]
    assert all(np.isnan([real_number(each) for each in ("x", None, [1], np.zeros(2), 10**400, 1j)]))
