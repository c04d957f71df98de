"""Transforms of 512 points whose samples go up, and whose spectra come down, in the widths of Hinitt and Kocak."""

from dataclasses import replace
from functools import cache
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

import glfft
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.storage import STORAGES
from glfft.apps.ofdm.link.settings import FIXED8, FLOAT16, FLOAT32
from glfft.apps.ofdm.link.widths import SAMPLES_BINDING, Width
from glfft.apps.signal_to_noise import random_complex
from glfft.engine.compiled_pass import CompiledPass
from glfft.errors import LimitError
from glfft.gl.bindings import FIRST_DRAWING_IMAGE_UNIT
from glfft.gl.buffer_textures import buffer_textures
from glfft.gl.context import state_of
from glfft.gl.device import Device
from glfft.wisdom import lookup

POINTS = 512

# This is what 1 becomes in 8 bits. Spectra of normal numbers seldom go beyond 4 standard deviations.
_EIGHT_BIT_ONE = 44.0
# The least accuracy of a transform in each width. The first number allows for computed factors too.
FLOORS_DB = {FLOAT32: 110.0, FLOAT16: 60.0, FIXED8: 30.0}

_DTYPES = {FLOAT32: "<f4", FLOAT16: "<f2", FIXED8: "i1"}
_SPECTRA_BINDING = SAMPLES_BINDING + 1
_SPECTRA_IMAGE = FIRST_DRAWING_IMAGE_UNIT
_LOAD = """{samples}
value load(ivec3 at) {{
    return sample_at(at.y * COLUMNS + at.x);
}}
"""
_STORES = {
    FLOAT16: f"#define SPECTRA_BINDING {_SPECTRA_BINDING}\n"
    """layout(std430, binding = SPECTRA_BINDING) writeonly buffer Spectra { uint spectra[]; };
void store(ivec3 at, value result) {
    spectra[at.y * COLUMNS + at.x] = packHalf2x16(result);
}
""",
    # Two numbers share a word of the buffer with those of another invocation: as an image, it has texels of 16 bits.
    FIXED8: f"#define SPECTRA_IMAGE {_SPECTRA_IMAGE}\n#define ONE {_EIGHT_BIT_ONE}\n"
    """layout(rg8i, binding = SPECTRA_IMAGE) writeonly uniform iimageBuffer spectra;
void store(ivec3 at, value result) {
    imageStore(spectra, at.y * COLUMNS + at.x, ivec4(clamp(round(result * ONE), -128.0, 127.0), 0, 0));
}
""",
}

# Points of a thread of conversions, which are as many as the paper's new kernel has.
_ROWS_EACH = 8
_COPYING_THREADS = 64


class SampledTransforms:
    """A batch of so many transforms from one buffer to another: work for a stream. Samples and spectra have a width, a
    name of `glfft.apps.ofdm.link.widths`; without an algorithm, samples are stored as they are. Raises LimitError where
    the device has no images of so many numbers.
    """

    def __init__(
        self, ctx: moderngl.Context, width: str, algorithm: str | None, count: int, twiddles: str = "table"
    ) -> None:
        self._ctx, self._width = ctx, width
        self.layout = ((count, POINTS, 2), _DTYPES[width])
        """Shape and dtype of samples, and of spectra."""
        device = state_of(ctx).device
        if width == FIXED8 and count * POINTS > device.limits.buffer_texels:
            raise LimitError(f"An image of {count * POINTS} numbers is needed; take fewer transforms a batch.")
        self._pass = CompiledPass(ctx, sampled_pass(device, width, algorithm, count, twiddles))
        if width == FIXED8:
            self._pass.program["sample_step"] = Width(FIXED8).step(1.0)

    def __call__(self, samples: moderngl.Buffer, spectra: moderngl.Buffer) -> None:
        """Queue the transforms of all samples."""
        samples.bind_to_storage_buffer(SAMPLES_BINDING)
        if self._width == FIXED8:
            buffer_textures(self._ctx).use_for_pairs_of_bytes(spectra, _SPECTRA_IMAGE)
        elif self._width == FLOAT16:
            spectra.bind_to_storage_buffer(_SPECTRA_BINDING)
        self._pass.run(None, spectra if self._width == FLOAT32 else None)

    def decode(self, result: npt.NDArray[Any]) -> npt.NDArray[np.complex64]:
        """The spectra that came down, as complex numbers."""
        parts = result.astype(np.float32) / (_EIGHT_BIT_ONE if self._width == FIXED8 else 1.0)
        return np.ascontiguousarray(parts, np.float32).view(np.complex64)[..., 0]

    def release(self) -> None:
        """Free the program, which has no other owner."""
        self._pass.program.release()


def sampled_pass(device: Device, width: str, algorithm: str | None, count: int, twiddles: str = "table") -> PassSpec:
    """The dispatch of `SampledTransforms` on a device."""
    load = glfft.snippets.Snippet(_LOAD.format(samples=Width(width).samples))
    store = glfft.snippets.Snippet(_STORES[width]).generated("store") if width in _STORES else ()
    return replace(_pass(device, algorithm, count, twiddles), snippets=load.generated("load") + store)


def _pass(device: Device, algorithm: str | None, count: int, twiddles: str) -> PassSpec:
    request = AxisRequest(
        (count, POINTS),
        axis=1,
        direction=-1,
        scale=POINTS**-0.5,
        computed_twiddles=twiddles == "computed",
        layers=None,
        storage=STORAGES["buffer"],
        device=device,
        algorithm=algorithm or "auto",
    )
    if algorithm is None:
        groups = (POINTS // _COPYING_THREADS, -(-count // _ROWS_EACH), 1)
        sizes = {"GROUP_WIDTH": _COPYING_THREADS, "GROUP_HEIGHT": 1, "ROWS_EACH": _ROWS_EACH, "LINE_COUNT": count}
        return PassSpec("fft/copy.comp", request, (*sizes.items(), ("SCALE", 1.0)), groups, _COPYING_THREADS)
    (spec,) = lookup.passes(request)
    return spec


def numbers(width: str, count: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.complex128]]:
    """A batch as it goes up, and the spectra to expect."""
    encoded = Width(width).encode(_signal(count).ravel(), 1.0)
    return encoded.reshape(count, POINTS, 2), _spectra(count)


@cache
def _spectra(count: int) -> npt.NDArray[np.complex128]:
    return np.fft.fft(_signal(count).astype(np.complex128), norm="ortho")


@cache
def _signal(count: int) -> npt.NDArray[np.complex64]:
    # The signal has a mean power of 1.
    return (random_complex((count, POINTS)) / np.sqrt(2)).astype(np.complex64)
