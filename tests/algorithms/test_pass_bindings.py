"""What a pass binds, as data, is what its text declares."""

from __future__ import annotations

import re

import pytest
from support.pictures import ALGORITHMS, PING_PONG

from glfft.algorithms.pass_bindings import RESERVED, ImageBinding, PassBindings, Place, TableBinding
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.storage import STORAGES
from glfft.engine.plan_passes import plan_passes
from glfft.engine.request import FORWARD, INVERSE, PlanRequest
from glfft.errors import LimitError
from glfft.gl.barriers import SHADER_IMAGE_ACCESS_BARRIER, SHADER_STORAGE_BARRIER, TEXTURE_FETCH_BARRIER
from glfft.gl.device import Device, Limits
from glfft.gl.glsl import without_comments

LIMITS = Limits(16384, 32768, 1024, (1024, 1024, 64), (65535, 65535, 65535), 8, 16)
DECLARED = re.compile(r"layout\(([^)]*)\)([^;{]*)(?:\{|;)")
KINDS = {
    Place.TEXTURE: r"\buniform sampler(2D|2DArray|3D)\b",
    Place.BUFFER_TEXTURE: r"\buniform samplerBuffer\b",
    Place.IMAGE: r"\buniform (image(2D|2DArray|3D)|ping_pong_image)\b",
    Place.STORAGE_BUFFER: r"\bbuffer \w+",
}


def passes(algorithm: str, storage: str, real: bool) -> list[PassSpec]:
    wanted = PlanRequest.of((8, 16), (0, 1), algorithm, storage=STORAGES[storage], real=real)
    return [spec for direction in (FORWARD, INVERSE) for spec in plan_passes(wanted, direction, Device(LIMITS))]


def declared(spec: PassSpec, bindings: PassBindings | None = None) -> set[tuple[Place, int]]:
    """What a pass's text declares a binding for, its own or other ones."""
    text = without_comments((spec.source if bindings is None else spec.source_with(bindings)).text)
    defined = dict(re.findall(r"^#define (\w+) (\S+)$", text, re.MULTILINE))

    def expanded(words: str) -> str:
        after = re.sub(r"\b\w+\b", lambda word: defined.get(word[0], word[0]), words)
        return after if after == words else expanded(after)

    found = set()
    for qualifiers, kind in (map(expanded, declaration) for declaration in DECLARED.findall(text)):
        binding = re.search(r"binding = (\d+)", qualifiers)
        if binding:
            (place,) = (place for place, pattern in KINDS.items() if re.search(pattern, kind.strip()))
            found.add((place, int(binding.group(1))))
    return found


def bound(bindings: PassBindings) -> set[tuple[Place, int]]:
    """What a pass binds, arrays of images once."""
    each: list[ImageBinding | TableBinding | None] = [bindings.source, bindings.target, *bindings.between[:1]]
    return {(one.place, one.index) for one in (*each, bindings.table) if one is not None}


STORED = ("rg32f", "rgba16f", "buffer", "buffer_double")


@pytest.mark.parametrize(
    ("algorithm", "storage", "real"),
    [
        # Each algorithm and each storage has real pictures and complex ones.
        (algorithm, storage, (row + row // 4 + column // 2) % 2 == 1)
        for row, algorithm in enumerate(ALGORITHMS)
        for column, storage in enumerate(STORED)
    ],
)
def test_a_text_declares_what_its_pass_binds(algorithm: str, storage: str, real: bool) -> None:
    if algorithm in PING_PONG and storage == "buffer_double":
        pytest.skip("no image holds float64")
    try:
        found = passes(algorithm, storage, real)
    except LimitError:
        pytest.skip("not on this device")
    for spec in found:
        assert declared(spec) == bound(spec.bindings)
        lowest = spec.bindings.lowest
        assert declared(spec, lowest) == bound(lowest)
        numbers = [index for _, index in bound(lowest)]
        assert len(set(numbers)) == len(numbers)
        assert max(numbers) < 4
        assert spec.bindings.groups == spec.groups
        assert spec.bindings.uniforms == spec.uniforms


def test_what_plans_reserve_is_what_passes_bind() -> None:
    for storage in STORAGES:
        for spec in passes("auto", storage, real=False):
            for place, index in bound(spec.bindings):
                assert place is not Place.STORAGE_BUFFER or index in RESERVED


@pytest.mark.parametrize(
    ("algorithm", "storage", "barrier", "first"),
    [
        ("auto", "rg32f", TEXTURE_FETCH_BARRIER, 0),
        ("auto", "buffer_double", SHADER_STORAGE_BARRIER, SHADER_STORAGE_BARRIER),
        (
            "ping-pong-stockham-radix2",
            "rg32f",
            TEXTURE_FETCH_BARRIER | SHADER_IMAGE_ACCESS_BARRIER,
            SHADER_IMAGE_ACCESS_BARRIER,
        ),
    ],
)
def test_barriers_are_those_that_a_pass_needs(algorithm: str, storage: str, barrier: int, first: int) -> None:
    for spec in passes(algorithm, storage, real=False):
        assert (spec.bindings.barrier, spec.bindings.first_barrier) == (barrier, first)


def test_only_what_is_fetched_takes_a_texture_unit() -> None:
    for storage in STORAGES:
        for spec in passes("auto", storage, real=False):
            fetched = {index for place, index in declared(spec) if place in (Place.TEXTURE, Place.BUFFER_TEXTURE)}
            bound = (spec.bindings.source, *([spec.bindings.table] if spec.bindings.table is not None else []))
            places = (Place.TEXTURE, Place.BUFFER_TEXTURE)
            assert {each.index for each in bound if each.place in places} == fetched
