"""A sample of Stockham kernels over all their options, requests for them, and what plans make of them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest

import glfft
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import Choice, PassSpec
from glfft.algorithms.regions import Points
from glfft.algorithms.stockham import pictures
from glfft.algorithms.stockham.butterflies import RADICES
from glfft.algorithms.stockham.config import BY_STRIDE, SWAPPED, KernelConfig, PictureConfig
from glfft.algorithms.stockham.kernel import kernel_pass
from glfft.algorithms.stockham.pictures import StockhamPicture
from glfft.algorithms.storage import STORAGES, Storage
from glfft.gl.context import state_of
from glfft.gl.device import Device, Limits
from glfft.snippets import Snippet
from glfft.wisdom import lookup
from support.images import random_values, run
from support.requests import LEAST_DEVICE
from support.tolerances import COMPOSED_DB, assert_close

EXCHANGES = ("at once", "in turn", "alternate")

# Floats in registers times stages: what a software renderer's compile time grows with. Beyond this it takes seconds.
QUICK_TO_COMPILE = 96


def kernels(
    limits: Limits, lengths: list[int], seed: int = 0, heaviest: int = QUICK_TO_COMPILE
) -> Iterator[tuple[KernelConfig, Storage]]:
    """One random kernel that fits a device for each length, with a storage it fits."""
    generator = random.Random(seed)
    for length in lengths:
        yield _kernel(generator, limits, length, heaviest)


def request(
    limits: Limits,
    kernel: KernelConfig,
    storage: Storage,
    *,
    axis: int,
    lines: int,
    layers: int | None = None,
    direction: int = -1,
    scale: float = 1.0,
) -> AxisRequest:
    """So many lines of the kernel's length along an axis."""
    shape = (lines, kernel.length) if axis == 1 else (kernel.length, lines)
    return AxisRequest(shape, axis, direction, scale, False, layers, storage, Device(limits))


def restrict_device(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, **limits: Any) -> None:
    """Have a context allow less than it does, until the end of the test."""
    state = state_of(ctx)
    monkeypatch.setattr(state, "device", replace(state.device, limits=replace(state.limits, **limits)))


@contextmanager
def kernels_that_compile_quickly() -> Iterator[None]:
    """Let a software renderer have kernels that compile quickly, in place of those that run fast."""
    choose, pays = lookup.choose, pictures.pays

    def choose_quick(request: AxisRequest) -> list[tuple[AxisRequest, Choice]]:
        # Passes over both axes are chosen where none is to compile quickly, so that they have no such kernels.
        quick = request.device.software and not request.both_axes
        return choose(replace(request, quick=request.quick or quick))

    def pays_quick(request: AxisRequest) -> bool:
        # Larger pictures have large butterflies, of rows and of columns, in one program.
        return pays(request) and not (request.device.software and math.prod(request.shape) > 16 * 16)

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(lookup, "choose", choose_quick)
        monkeypatch.setattr(pictures, "pays", pays_quick)
        yield


# Beside the plain transform.
KINDS = ("real forward", "real inverse", "convolving", "halved forward", "halved inverse")
WAYS = ("forward", "inverse", "convolving")  # the last words of these: what has a shader of its own

# A number for every place: (1 + column) + i (row + 2 layer) / 2.
PRODUCT = """
value product(ivec3 at, value spectrum) {
    return multiply(spectrum, vec2(1 + at.x, 0.5 * float(at.y + 2 * at.z)));
}
"""
INVERSE_SCALE = 0.5


def pass_of_kind(kind: str, wanted: AxisRequest, kernel: KernelConfig) -> PassSpec:
    """A kernel as one of `KINDS`, for lines whose plain transform is asked for."""
    ends, shape = {"reads": Points.REAL, "writes": Points.HERMITIAN}, wanted.shape
    if kind.endswith("inverse"):
        ends = {"reads": Points.HERMITIAN, "writes": Points.REAL}
    if kind.startswith("real"):
        real = replace(wanted, direction=-1 if kind.endswith("forward") else +1, real_pairs=True)
        return replace(kernel_pass(real, kernel), **ends)
    if kind.startswith("halved"):
        # Each is twice as long.
        twice = (*shape[: wanted.axis], 2 * kernel.length, *shape[wanted.axis + 1 :])
        halved = replace(wanted, shape=twice, direction=-1 if kind.endswith("forward") else +1, halved=True)
        return replace(kernel_pass(halved, kernel), **ends)
    spec = kernel_pass(replace(wanted, direction=-1, inverse_scale=INVERSE_SCALE), kernel)
    # As in plans: snippets may want the image unit.
    return replace(spec, snippets=Snippet(PRODUCT).generated("multiply"), prefers_image_loads=False)


def _kernel(generator: random.Random, limits: Limits, length: int, heaviest: int) -> tuple[KernelConfig, Storage]:
    while True:
        radices = _radices(generator, length)
        threads = max(length // (max(radices) * generator.choice([1, 1, 2, 4])), 1)
        # And some that do not share the butterflies of every stage out evenly.
        if generator.random() < 0.3:
            threads = generator.randint(1, length // min(radices))
        kernel = KernelConfig(
            radices,
            threads,
            lines=generator.choice([1, 2, 3, 4, 8]),
            side_by_side=generator.random() < 0.5,
            exchange=generator.choice(EXCHANGES),
            padding=generator.choice([0, BY_STRIDE, SWAPPED, 4, 6, 10, 12, 16, 32]),
            twiddle_products=generator.random() < 0.5,
            image_loads=generator.random() < 0.5,
            line_pairs=generator.random() < 0.5,
            prefetch_twiddles=generator.random() < 0.5,
        )
        storage = STORAGES[generator.choice(["rg32f", "rg32f", "rgba32f", "buffer", "buffer_pairs"])]
        weight = kernel.points * storage.components * kernel.lines_a_value * len(radices)
        if weight <= heaviest and kernel.fits(limits, storage):
            return kernel, storage


def _radices(generator: random.Random, length: int) -> tuple[int, ...]:
    radices = []
    while length > 1:
        radix = generator.choice([radix for radix in RADICES if length % radix == 0])
        radices.append(radix)
        length //= radix
    return tuple(radices)


def assert_transforms_pictures(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, kernel: PictureConfig) -> None:
    """Fail unless a kernel transforms and convolves three pictures as float64 numpy does."""
    monkeypatch.setattr(pictures, "kernel_for", lambda _request: kernel)
    storage = STORAGES["rg32f"]
    shape = math.prod(kernel.axes[0]), math.prod(kernel.axes[1])
    assert kernel.fits(LEAST_DEVICE.limits, storage)
    values = random_values(storage, shape, 3)
    exact = np.fft.fft2(values.astype(np.complex128))
    y, x = np.indices(shape)
    z = np.arange(3)[:, None, None, None]
    with glfft.Plan(ctx, shape, layers=3, algorithm=StockhamPicture.name, multiply=PRODUCT) as plan:
        assert "rows and columns" in plan.explain()
        assert_close(run(plan, values), exact)
        expected = np.fft.ifft2(exact * (1 + x + 0.5j * (y + 2 * z)))
        assert_close(run(plan, values, "convolve"), expected, COMPOSED_DB)
