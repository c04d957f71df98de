"""The work of `glfft tune`: kernels measured on a device, the fastest kept, and files of them read and written."""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import moderngl
from tqdm import tqdm

from glfft import Plan
from glfft.algorithms.device_constants import DeviceConstants
from glfft.engine.request import PlanRequest
from glfft.errors import DataError, LimitError, OutputError, TimingError
from glfft.files import check_writable
from glfft.gl.context import driver_of, open_context, state_of
from glfft.gl.device import Device, model_of
from glfft.gl.releasable import released_after
from glfft.profiling.timing import timer_name
from glfft.tuning import device_constants
from glfft.tuning.report import TunedPass, TuningReport
from glfft.wisdom import lookup, store

_BAR = "{percentage:3.0f}%|{bar}| {elapsed}<{remaining}"


@dataclass(frozen=True)
class Wanted:
    sizes: Sequence[tuple[int, ...]]  # shapes, if any
    layers: int | None  # of texture arrays, or single textures
    storage: str
    real: bool  # the transforms of real numbers
    quick: bool  # 8 kernels per pass instead of about 50


def run(wanted: Wanted, imported: Sequence[str], exported: str | None, device: int | None) -> None:
    """Import files of earlier measurements; measure; report; and export this device's measurements, else they have to
    be kept in the user's file. `device` is the index of the EGL device, or None. Raises ShapeError for a size that
    cannot be transformed, DataError or OutputError for a file that cannot be read or written, LimitError where nothing
    that was asked for fits the device, ContextError where there is no device, or not enough memory.
    """
    if exported:
        if (own := store.path()) is not None and os.path.realpath(exported) == os.path.realpath(own):
            raise OutputError(f"{exported} keeps all tuning results, and an export holds some; name another file.")
        check_writable(exported)
    elif imported or store.path() is not None:
        store.check_keeping()
    for name in imported:
        print(_take_over(name, must_be_saved=not exported))
    if not (wanted.sizes or exported):
        return
    with released_after(ctx := open_context(device)):
        if wanted.sizes:
            _measure(ctx, wanted, bool(exported))
        if exported:
            _export(exported, state_of(ctx).device)


def _export(name: str, device: Device) -> None:
    """Write what is known of a device as other machines can use it: for its model, with any driver."""
    model = model_of(device.renderer)
    of_device = [each for each in store.entries() if (each.renderer, each.driver) == (device.renderer, device.driver)]
    imported = [each for each in store.entries() if (each.renderer, each.driver) == (model, "")]
    # Where two are for the same lines, the faster stays.
    slowest_first = sorted((*imported, *of_device), key=lambda entry: -entry.microseconds)
    fastest = {each.for_others.key: each.for_others for each in slowest_first}
    constants = [each.for_others for each in store.constants() if each.key == (device.renderer, device.driver)]
    if not (fastest or constants):
        why = "nothing was measured on this device; give --sizes with a choice of kernels, such as 256"
        raise DataError(f"There is nothing to write into {name}: {why}.")
    store.write_file(name, fastest.values(), (), constants)
    print(f"wrote {name}: {len(fastest)} kernels for {model}")


def _take_over(name: str, must_be_saved: bool) -> str:
    found = store.read_file(name)
    taken = store.take_over(found.entries, must_be_saved)
    counts = {"no faster than what is known": len(found.entries) - taken, **found.left_out}
    reasons = ", ".join(f"{count} ({why})" for why, count in counts.items() if count)
    added = f"{name}: added {taken} of {taken + sum(counts.values())} kernels"
    return f"{added}; left out {reasons}" if reasons else added


def _measure(ctx: moderngl.Context, wanted: Wanted, exported: bool) -> None:
    # A shape that nothing can transform is refused before another is measured for minutes.
    for shape in wanted.sizes:
        with suppress(LimitError):
            PlanRequest.of(shape).check_limits(state_of(ctx).device)
    _measure_constants(ctx)
    found, left_out, skipped = list[TunedPass](), list[str](), list[str]()
    options: dict[str, Any] = {"layers": wanted.layers, "storage": wanted.storage, "real": wanted.real}
    with tqdm(total=len(wanted.sizes), unit="size", leave=False, bar_format=_BAR) as bar:
        for done, shape in enumerate(wanted.sizes):
            try:
                with Plan(ctx, shape, directions=["forward"], **options) as plan:
                    report = plan.tune(lambda share, done=done: bar.update(done + share - bar.n), quick=wanted.quick)
                    found += report.passes
                    left_out += [] if report.passes else [" x ".join(map(str, shape))]
            except LimitError as error:
                skipped.append(str(error))
            bar.update(done + 1 - bar.n)
    print(f"{ctx.info['GL_RENDERER']}, {driver_of(ctx)}")
    if len(skipped) == len(wanted.sizes):
        raise LimitError(" ".join(skipped))
    print(TuningReport(tuple(found), timer_name(ctx)))
    if found and left_out:
        print(f"no choice of kernel: {', '.join(left_out)}")
    for sentence in skipped:
        print(sentence)
    if not found:
        return
    kept = {each.entry.key: each.entry for each in found}.values()  # where two are for the same lines, the later stays
    if store.saved(kept):
        print(f"saved in {store.path()}")
    elif store.path() is None:
        print(f"not saved: {store.why_nowhere()}")
    elif not exported:
        raise OutputError(f"The results could not be saved in {store.path()}.")


def _measure_constants(ctx: moderngl.Context) -> None:
    """Measure and keep the constants of a GPU, by which kernels are chosen for sizes that nobody measured, once."""
    device = state_of(ctx).device
    if any(each.key == (device.renderer, device.driver) for each in store.constants()):
        return
    near = lookup.constants_of(device)
    with suppress(TimingError):  # without them sizes are tuned all the same
        measured = device_constants.measured(ctx, DeviceConstants() if near is None else near.constants)
        store.remember([] if measured is None else [measured])
