"""Exports run by the reader that comes with them, which knows nothing of glfft."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

import glfft
from support import images
from support.paths import ROOT

READER = ROOT / "demos" / "exported" / "run_exported.py"


def reader() -> Any:
    """The reader as a module."""
    spec = importlib.util.spec_from_file_location("run_exported", READER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_folder(
    ctx: moderngl.Context, folder: Path, plan: glfft.Plan, values: npt.NDArray[Any], direction: str
) -> npt.NDArray[Any]:
    """What an export of a plan makes of values, as `support.images.run` gives it, written to a target full of NaN."""
    layers = plan.request.layers
    (source_storage, _), (target_storage, target_shape) = images.ends(plan, direction)
    exported = reader().Exported(ctx, folder, direction)
    source = images.upload(ctx, values, source_storage, layers)
    target = images.blank(ctx, target_shape, target_storage, layers)
    for name, image in (("source", source), ("target", target)):
        exported.made[name].write(image.read())
        image.release()
    exported.run()
    try:
        return images.download(exported.made["target"], target_storage, target_shape, layers)
    finally:
        for each in (*exported.made.values(), *exported.programs.values()):
            each.release()


def exact(plan: glfft.Plan, values: npt.NDArray[Any], direction: str) -> npt.NDArray[Any]:
    """What numpy makes of values in float64."""
    request, wide = plan.request, values.astype(np.float64 if values.dtype.kind == "f" else np.complex128)
    axes, name = [axis + 2 for axis in request.axes], "rfftn" if request.real else "fftn"
    if direction == "forward":
        return getattr(np.fft, name)(wide, axes=sorted(axes), norm=request.norm)
    lengths = [plan.shape[axis - 2] for axis in sorted(axes)]
    return getattr(np.fft, f"i{name}")(wide, s=lengths, axes=sorted(axes), norm=request.norm)
