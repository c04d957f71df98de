"""The constants of a device, measured: those by which the times of a few passes are predicted best."""

import math
from collections.abc import Callable, Sequence
from functools import partial

import moderngl
import numpy as np

from glfft.algorithms import registry
from glfft.algorithms.device_constants import MEASURED, DeviceConstants
from glfft.gl.context import state_of
from glfft.profiling.timing import ContextTimer, time_in_turn
from glfft.tuning.workbench import Workbench
from glfft.wisdom.entries import KnownConstants

_SAMPLES, _STEPS = 5, 15
# Logarithms: how far a prediction may be from a time, a constant from where it begins, and a step from the one before;
# and with which differences derivatives are found.
_SPREAD, _EXPECTED, _LONGEST_STEP, _DIFFERENCE = 0.1, 0.5, 0.5, 0.01

Prediction = Callable[[DeviceConstants], float]


def measured(ctx: moderngl.Context, start: DeviceConstants) -> KnownConstants | None:
    """The constants of a context's device, sought near some others; None where no pass tells them, as on a CPU. Takes
    less than ten seconds, nearly all compiling. Raises ContextError without memory for two textures of 64 MiB,
    ShaderError where the driver refuses a pass, TimingError where the GPU could not be kept busy.
    """
    device = state_of(ctx).device
    found: list[tuple[Prediction, float]] = []
    with ContextTimer(ctx) as timer:
        for request, choice, predict in registry.probes(device):
            with Workbench(ctx, request) as bench:
                (timing,) = time_in_turn([timer.subject(partial(bench.run, bench.compile(choice)))], _SAMPLES)
            found.append((predict, timing.microseconds))
    if not found:
        return None
    return KnownConstants(device.renderer, fitted(found, start), device.driver, "measured on this device")


def fitted(passes: Sequence[tuple[Prediction, float]], start: DeviceConstants) -> DeviceConstants:
    """The constants, near `start`, whose predictions are nearest to times: Gauss and Newton's method on logarithms."""
    times = np.log([microseconds for _, microseconds in passes])

    def predicted(steps: np.ndarray) -> np.ndarray:
        constants = start.scaled(dict(zip(MEASURED, np.exp(steps).tolist(), strict=True)))
        return np.array([math.log(predict(constants)) for predict, _ in passes])

    position = np.zeros(len(MEASURED))
    for _ in range(_STEPS):
        here = predicted(position)
        slopes = [(predicted(position + step) - here) / _DIFFERENCE for step in _DIFFERENCE * np.eye(len(MEASURED))]
        matrix = np.concatenate([np.stack(slopes, axis=1) / _SPREAD, np.eye(len(MEASURED)) / _EXPECTED])
        missing = np.concatenate([(times - here) / _SPREAD, -position / _EXPECTED])
        position += np.clip(np.linalg.lstsq(matrix, missing, rcond=None)[0], -_LONGEST_STEP, _LONGEST_STEP)
    return start.scaled(dict(zip(MEASURED, np.exp(position).tolist(), strict=True)))
