"""Transforms of 512 points whose samples go up, and whose spectra come down, in the widths of Hinitt and Kocak."""

from __future__ import annotations

from functools import cache
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.accuracy import random_complex
from glfft.algorithms import registry
from glfft.algorithms.family import Config, Family
from glfft.algorithms.passes import AxisRequest, PassSpec
from glfft.demos.ofdm.settings import FIXED8, FLOAT16, FLOAT32
from glfft.demos.ofdm.widths import SAMPLES_BINDING, Width
from glfft.plan import Plan

POINTS = 512

# Numbers that come down in 8 bits: what 1 becomes. Spectra of normal numbers seldom go beyond 4 standard deviations.
_EIGHT_BIT_ONE = 44.0
# What half precision and 8 bits leave of a transform's accuracy. The first is for computed factors too.
FLOORS_DB = {FLOAT32: 110.0, FLOAT16: 60.0, FIXED8: 30.0}

_DTYPES = {FLOAT32: "<f4", FLOAT16: "<f2", FIXED8: "i1"}
_SPECTRA_BINDING = SAMPLES_BINDING + 1
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
    # Two numbers share a word with those of another invocation: a texture has texels of 16 bits.
    FIXED8: """
layout(rg8i) writeonly uniform iimage2D spectra;
uniform float one;
void store(ivec3 at, value result) {
    imageStore(spectra, at.xy, ivec4(clamp(round(result * one), -128.0, 127.0), 0, 0));
}
""",
}


class SampledTransforms:
    """A batch of transforms from one buffer to another: work for a stream.

    Args:
        ctx: the context.
        width: of samples and of spectra, as `glfft.demos.ofdm.widths` has it.
        algorithm: of the transforms; CONVERSIONS for none.
        count: transforms of a batch.
        twiddles: as a plan's.
    """

    def __init__(self, ctx: moderngl.Context, width: str, algorithm: str, count: int, twiddles: str = "table") -> None:
        self._ctx, self._width = ctx, width
        self._texture: moderngl.Texture | None = None
        self.layout = ((count, POINTS, 2), _DTYPES[width])
        """Shape and dtype of samples, and of spectra."""
        self._plan = Plan(
            ctx,
            (count, POINTS),
            axes=(1,),
            storage="buffer",
            norm="ortho",
            algorithm=algorithm,
            twiddles=twiddles,
            load=_LOAD.format(samples=Width(width).samples),
            store=_STORES.get(width),
        )
        if width == FIXED8:
            self._texture = ctx.texture((POINTS, count), 2, dtype="i1")
            self._plan.set(sample_step=Width(FIXED8).step(1.0), spectra=self._texture, one=_EIGHT_BIT_ONE)

    def __call__(self, samples: moderngl.Buffer, spectra: moderngl.Buffer) -> None:
        """Queue the transforms of all samples."""
        samples.bind_to_storage_buffer(SAMPLES_BINDING)
        if self._texture is not None:
            self._plan.forward(None, None, next_use=None)
            self._ctx.memory_barrier(self._ctx.ALL_BARRIER_BITS)
            self._texture.read_into(spectra, alignment=1)
        elif self._width == FLOAT16:
            spectra.bind_to_storage_buffer(_SPECTRA_BINDING)
            self._plan.forward(None, None)
        else:
            self._plan.forward(None, spectra)

    def decode(self, result: npt.NDArray[Any]) -> npt.NDArray[np.complex64]:
        """What came down as complex numbers."""
        parts = result.astype(np.float32) / (_EIGHT_BIT_ONE if self._width == FIXED8 else 1.0)
        return np.ascontiguousarray(parts, np.float32).view(np.complex64)[..., 0]

    def release(self) -> None:
        """Free the plan and its texture."""
        self._plan.release()
        if self._texture is not None:
            self._texture.release()
            self._texture = None


class Conversions(Family):
    """Points stored as they were loaded: what samples and spectra of a width cost besides transforms."""

    name = "conversions"
    study = True

    def passes(self, request: AxisRequest, config: Config) -> list[PassSpec]:
        width, height = 64, 1
        defines = {"GROUP_WIDTH": width, "GROUP_HEIGHT": height, "ROWS_EACH": 1, "LINE_COUNT": request.lines}
        groups = (-(-request.length // width), request.lines, request.layers or 1)
        return [PassSpec("fft/copy.comp", request, (*defines.items(), ("SCALE", 1.0)), groups, width)]


def conversions(ctx: moderngl.Context, width: str, count: int) -> SampledTransforms:
    """A batch whose samples are converted to floats and back, and not transformed."""
    registry.register(Conversions())
    try:
        return SampledTransforms(ctx, width, Conversions.name, count)
    finally:
        registry.unregister(Conversions.name)


def numbers(width: str, count: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.complex128]]:
    """A batch as it goes up, and the spectra to expect."""
    encoded = Width(width).encode(_signal(count).ravel(), 1.0)
    return encoded.reshape(count, POINTS, 2), _spectra(count)


@cache
def _spectra(count: int) -> npt.NDArray[np.complex128]:
    return np.fft.fft(_signal(count).astype(np.complex128), norm="ortho")


@cache
def _signal(count: int) -> npt.NDArray[np.complex64]:
    # Of power 1.
    return (random_complex((count, POINTS)) / np.sqrt(2)).astype(np.complex64)
