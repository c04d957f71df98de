"""The figure of tuning.md about the model, model.png: predicted and measured (needs the extra `plot`).

Its data are model-times.json.xz, an NVIDIA H200's times of passes and kernels that were drawn as time_kernels.py does.
Passes are left out a fifth at a time: the constants by which a pass is predicted are fitted to times of other passes.
`make pages ARGS=--figures` draws it.
"""

import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from make_performance_plot import FAINT, INK
from numpy.typing import NDArray

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.device_constants import DeviceConstants
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.cost import predicted_us, work_of
from glfft.algorithms.storage import STORAGES
from glfft.gl.device import ES_3_1
from glfft.tuning.device_constants import fitted

HERE = Path(__file__).resolve().parent
FOLDS = 5
_BLUE, _ORANGE = "#0077bb", "#ee7733"  # of Paul Tol's "vibrant" scheme
_EVERY = 7  # of the kernels, the constants are fitted to one in so many

Times = NDArray[np.float64]


@dataclass(frozen=True)
class Pass:
    """The kernels of one pass, the default first: microseconds predicted and measured."""

    predicted: Times
    measured: Times

    @property
    def choice(self) -> float:
        """How many times as long as the fastest kernel the one takes that is predicted to be."""
        return float(self.measured[np.argmin(self.predicted)] / self.measured.min())

    @property
    def default(self) -> float:
        """How many times as long as the fastest kernel the default takes."""
        return float(self.measured[0] / self.measured.min())


def passes() -> list[Pass]:
    """All passes, each predicted by constants that are fitted to others."""
    content = json.loads(lzma.decompress((HERE / "model-times.json.xz").read_bytes()))
    works = [[work_of(_request(each), _kernel(fields)) for fields in each["kernels"]] for each in content["passes"]]
    times = [np.array([fields[-1] for fields in each["kernels"]]) for each in content["passes"]]
    found: dict[int, Pass] = {}
    for fold in range(FOLDS):
        others = [number for number in range(len(works)) if number % FOLDS != fold]
        known = [(partial(predicted_us, w), t) for n in others for w, t in zip(works[n], times[n], strict=True)]
        constants = fitted(known[::_EVERY], DeviceConstants())
        for number in range(fold, len(works), FOLDS):
            found[number] = Pass(np.array([predicted_us(work, constants) for work in works[number]]), times[number])
    return [found[number] for number in range(len(works))]


def _request(content: dict[str, Any]) -> AxisRequest:
    shape, layers = tuple(content["shape"]), content["layers"]
    return AxisRequest(shape, content["axis"], -1, 1.0, False, layers, STORAGES[content["storage"]], ES_3_1)


def _kernel(fields: list[Any]) -> KernelConfig:
    return KernelConfig(tuple(fields[0]), *fields[1:-1])


def figures(found: list[Pass]) -> Iterator[str]:
    """What tuning.md says of the passes."""
    for name in ("choice", "default"):
        ratios = np.array([getattr(each, name) for each in found])
        mean = float(np.exp(np.log(ratios).mean()))
        yield f"{name}: {mean:.3f} in the geometric mean, {(ratios > 1.25).sum()} above 1.25, worst {ratios.max():.2f}"
    errors = np.concatenate([np.log(each.predicted / each.measured) for each in found])
    yield f"predicted over measured: {np.median(np.abs(errors)):.3f} off in the median of {len(errors)} kernels"


def draw() -> None:
    """Draw model.png: each kernel's predicted and measured time, and how near the choices come to the fastest."""
    from matplotlib.figure import Figure

    found = passes()
    for line in figures(found):
        print(line)
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    measured, predicted = (np.concatenate([getattr(p, name) for p in found]) for name in ("measured", "predicted"))
    ends = [measured.min(), measured.max()]
    left.loglog(measured, predicted, ".", color=_BLUE, markersize=2, alpha=0.5)
    left.loglog(ends, ends, color=INK, linewidth=1)
    left.set_xlabel("measured, µs a pass")
    left.set_ylabel("predicted, µs a pass")
    left.set_title(f"{len(measured)} kernels of {len(found)} passes", loc="left", fontsize=10, color=INK)
    share = 100 * np.arange(1, len(found) + 1) / len(found)
    for name, label, colour in (("choice", "model", _BLUE), ("default", "default without it", _ORANGE)):
        right.step(sorted(getattr(each, name) for each in found), share, where="post", color=colour, label=label)
    right.axvline(1.25, color=FAINT, linewidth=1)
    right.set_xlabel("time of the chosen kernel / time of the fastest measured")
    right.set_ylabel("% of passes")
    right.legend(frameon=False, labelcolor=INK, loc="lower right")
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(HERE / "model.png", dpi=110)
