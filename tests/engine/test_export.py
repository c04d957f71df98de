"""Exports: what their readers make of them, and what the manifest says."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest
from support import images
from support.exported import exact, reader, run_folder
from support.images import random_values
from support.kernels import restrict_device
from support.sentences import assert_one_sentence
from support.tolerances import BLUESTEIN_DB, COMPOSED_DB, assert_close, floor_of

import glfft
from glfft.algorithms.stockham import bluestein
from glfft.algorithms.storage import STORAGES
from glfft.apps.signal_to_noise import random_complex
from glfft.engine import export
from glfft.errors import GlfftError, OptionError
from glfft.gl.device import ES_3_1

CASES: list[tuple[tuple[int, ...], dict[str, Any]]] = [
    # Complex pictures and layers of real ones, in turn.
    *(
        ((4, 6), {"storage": name, "real": True, "layers": 2} if index % 2 else {"storage": name})
        for index, name in enumerate(STORAGES)
    ),
    ((2, 3, 4), {"norm": "ortho"}),
    # Along an axis or two, as each is a program of its own.
    ((2, 3, 4), {"storage": "buffer", "axes": [0, 2], "layers": 2, "real": True}),
    ((8, 4), {"axes": [0], "norm": "forward"}),
    ((17, 2), {"axes": [0]}),
    ((2, 4), {"axes": [1], "algorithm": "cooley-tukey-stages"}),
    # Its passes differ in what they need.
    ((2, 8), {"algorithm": "ping-pong-stockham-radix4"}),
    ((1, 1), {}),
]


def manifest_of(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "manifest.json").read_text())


@pytest.fixture(scope="module", params=CASES, ids=str)
def exported(
    request: pytest.FixtureRequest, ctx: moderngl.Context, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[glfft.Plan, Path]]:
    """A plan and the folder it was exported to, once for several tests: SPIR-V takes a compiler's process a pass."""
    shape, options = request.param
    with glfft.Plan(ctx, shape, **options) as plan:
        yield plan, plan.export(tmp_path_factory.mktemp("export") / "exported")


def test_what_is_exported_gives_the_plans_own_result(ctx: moderngl.Context, exported: tuple[glfft.Plan, Path]) -> None:
    plan, folder = exported
    floor = floor_of(plan.request.storage, plan.dispatches, BLUESTEIN_DB)
    for direction in ("forward", "inverse"):
        values = values_for(plan, direction)
        result = run_folder(ctx, folder, plan, values, direction)
        assert_close(result, exact(plan, values, direction), floor)
        # The arithmetic is the plan's; a compiler may fuse other products where bindings differ.
        assert_close(result, images.run(plan, values, direction), floor)


def values_for(plan: glfft.Plan, direction: str) -> Any:
    """Random values for a direction: of a real plan's inverse, the half spectra of real pictures."""
    (storage, shape), _ = images.ends(plan, direction)
    if plan.request.real and direction == "inverse":
        return images.run(plan, random_values(storage.of_reals, plan.shape, plan.request.layers))
    return random_values(storage, shape, plan.request.layers)


def test_padded_lines_go_through_a_buffer_in_turns(
    ctx: moderngl.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=96)
    monkeypatch.setattr(bluestein, "_SCRATCH_BYTES", 1300)
    with glfft.Plan(ctx, (4, 37), axes=(1,)) as plan:
        folder = plan.export(tmp_path / "exported", spirv=False)
        passes = manifest_of(folder)["directions"]["forward"]["passes"]
        firsts = {each["value"] for made in passes for each in made["uniforms"]}
        assert len(firsts) > 1
        assert len({each["glsl"] for each in passes}) < len(passes)
        values = random_values(STORAGES["rg32f"], (4, 37), None)
        assert_close(
            run_folder(ctx, folder, plan, values, "forward"), np.fft.fft(values.astype(np.complex128)), BLUESTEIN_DB
        )


@pytest.mark.parametrize("portable", [False, True])
def test_regions_are_exported(ctx: moderngl.Context, tmp_path: Path, portable: bool) -> None:
    picture = random_complex((5, 9))
    regions = {"source_region": (slice(0, 5), slice(2, 11)), "target_region": (slice(1, 7), slice(16))}
    with glfft.Plan(ctx, (8, 16), storage="buffer", **regions) as plan:
        folder = plan.export(tmp_path / "exported", portable=portable, spirv=False)
    # GLSL ES has no undefined names in conditions.
    assert not [each for each in folder.glob("*.comp") if re.search(r"^#\s*(if|el)", each.read_text(), re.MULTILINE)]
    resources = manifest_of(folder)["directions"]["forward"]["resources"]
    assert (resources["source"]["shape"], resources["target"]["shape"]) == ([1, 5, 9], [1, 6, 16])
    exported = reader().Exported(ctx, folder, "forward")
    exported.made["source"].write(picture.tobytes())
    exported.run()
    whole = np.zeros((8, 16), np.complex128)
    whole[0:5, 2:11] = picture
    result = np.frombuffer(exported.made["target"].read(), np.complex64).reshape(6, 16)
    assert_close(result, np.fft.fft2(whole)[1:7], BLUESTEIN_DB)


def test_a_manifest_is_complete(ctx: moderngl.Context, exported: tuple[glfft.Plan, Path]) -> None:
    plan, folder = exported
    manifest = manifest_of(folder)
    assert {*manifest["files"], "manifest.json"} == {each.name for each in folder.iterdir()}
    assert manifest["tuned_for"]["renderer"] == ctx.info["GL_RENDERER"]
    assert manifest["glsl"] == "430 core"
    assert manifest["transform"]["shape"] == list(plan.shape)
    every = [each for direction in manifest["directions"].values() for each in direction["passes"]]
    for need in ("shared_memory", "invocations"):
        assert manifest["needs"][need] == max(each[need] for each in every)
    assert manifest["needs"]["groups"] == [max(of) for of in zip(*(each["groups"] for each in every), strict=True)]
    named: set[str] = set()
    for name, direction in manifest["directions"].items():
        resources = direction["resources"]
        assert direction["sign"] == {"forward": -1, "inverse": 1}[name]
        assert direction["scale"] == plan.request.scale(direction["sign"])
        named |= {each["file"] for each in resources.values() if "file" in each}
        for each in resources.values():
            if "file" in each:
                assert (folder / each["file"]).stat().st_size == each["bytes"]
        used = {bound["resource"] for each in direction["passes"] for bound in each["bindings"]}
        assert used == set(resources)
        for each in direction["passes"]:
            named |= {each[kind] for kind in ("glsl", "spirv") if each[kind] is not None}
            source, target = (bound["resource"] for bound in each["bindings"][:2])
            assert source != target
            places = [(bound["kind"], bound["binding"]) for bound in each["bindings"]]
            assert len(set(places)) == len(places)
            assert max(number for _, number in places) < 4
            assert each["barrier"]["bits"]
            assert each["barrier"]["names"]
            if each["bindings"][1]["kind"] == "image":
                format_named = f"layout(binding = TARGET_UNIT, {each['bindings'][1]['format']}) writeonly"
                assert format_named in (folder / each["glsl"]).read_text()
            assert "SPDX-License-Identifier: MIT" in (folder / each["glsl"]).read_text().splitlines()[1]
    assert named == set(manifest["files"])
    modules = [*folder.glob("*.spv")]
    assert bool(modules) == (manifest["spirv"] is not None) == export.can_compile()
    if shutil.which("spirv-val") is not None:
        for module in modules:
            subprocess.run(["spirv-val", "--target-env", manifest["spirv"]["environment"], module], check=True)


def test_without_a_compiler_there_is_glsl_alone(
    ctx: moderngl.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with glfft.Plan(ctx, (4, 4)) as plan:
        without = plan.export(tmp_path / "without", spirv=False)
        monkeypatch.setenv("PATH", "")
        alone = plan.export(tmp_path / "alone")
    for folder in (without, alone):
        assert manifest_of(folder)["spirv"] is None
        assert [*folder.glob("*.comp")]
        assert not [*folder.glob("*.spv")]


PORTABLE_CASES: list[tuple[tuple[int, ...], dict[str, Any]]] = [
    ((6, 8), {"storage": "rgba32f", "norm": "ortho"}),
    ((2, 1024), {"storage": "rgba16f", "layers": 2}),
    ((6, 1080), {"storage": "buffer", "real": True}),
    ((37, 41), {"storage": "buffer_pairs"}),
    # Five small stages: 128 invocations do eight butterflies each.
    ((1, 3125), {"storage": "buffer_pairs", "axes": [1]}),
    ((2, 3, 4), {"storage": "buffer", "layers": 2, "real": True}),
    # Too long for 16 KiB: two dispatches, or a convolution in scratch.
    ((2, 2304), {"storage": "buffer", "axes": [1]}),
    ((1, 2053), {"storage": "buffer", "axes": [1]}),
]

# What OpenGL ES 3.1 guarantees of what the compiler checks, over its defaults.
ES_3_1_LIMITS = {
    "MaxComputeWorkGroupSizeX": 128,
    "MaxComputeWorkGroupSizeY": 128,
    "MaxComputeWorkGroupSizeZ": 64,
    "MaxComputeTextureImageUnits": 16,
    "MaxComputeImageUniforms": 4,
    "MaxComputeUniformComponents": 512,
    "MaxCombinedTextureImageUnits": 48,
    "MaxImageUnits": 4,
    "MaxCombinedImageUniforms": 4,
    "MaxCombinedShaderOutputResources": 4,
}


def test_portable_plans_are_for_the_least_that_opengl_es_3_1_guarantees() -> None:
    limits = ES_3_1.limits
    told = (*limits.group_size, limits.image_units, limits.texture_units)
    names = (*(f"MaxComputeWorkGroupSize{axis}" for axis in "XYZ"), "MaxImageUnits", "MaxCombinedTextureImageUnits")
    assert told == tuple(ES_3_1_LIMITS[name] for name in names)
    # The compiler knows nothing of these.
    assert (limits.invocations, limits.shared_memory, limits.texture_size) == (128, 16384, 2048)


@pytest.fixture(scope="module")
def es_limits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of limits for the reference compiler."""
    if not export.can_compile():
        pytest.skip("glslangValidator is not installed")
    defaults = subprocess.run(["glslangValidator", "-c"], capture_output=True, text=True, check=True).stdout
    limits = dict(line.split() for line in defaults.splitlines() if len(line.split()) == 2)
    assert set(limits) >= set(ES_3_1_LIMITS)
    path = tmp_path_factory.mktemp("limits") / "es.conf"
    path.write_text("".join(f"{name} {value}\n" for name, value in {**limits, **ES_3_1_LIMITS}.items()))
    return path


def complaints(limits: Path, texts: Sequence[Path]) -> str:
    done = subprocess.run(["glslangValidator", limits, *texts], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode else ""


@pytest.fixture(scope="module", params=PORTABLE_CASES, ids=str)
def portable(
    request: pytest.FixtureRequest, ctx: moderngl.Context, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[glfft.Plan, Path]]:
    """A plan and the portable folder that it was exported to, once for several tests."""
    shape, options = request.param
    with glfft.Plan(ctx, shape, **options) as plan:
        # SPIR-V takes a compiler's process a pass: one case shows that there is some.
        folder = tmp_path_factory.mktemp("export") / "exported"
        yield plan, plan.export(folder, portable=True, spirv=shape == PORTABLE_CASES[0][0])


def test_what_is_portable_needs_no_more_than_opengl_es_3_1(es_limits: Path, portable: tuple[glfft.Plan, Path]) -> None:
    _, folder = portable
    manifest = manifest_of(folder)
    assert (manifest["glsl"], manifest["tuned_for"]) == ("310 es", None)
    assert manifest["needs"]["shared_memory"] <= 16384
    assert manifest["needs"]["invocations"] <= 128
    texts = sorted(folder.glob("*.comp"))
    assert all(0 < invocations(text.read_text()) <= 128 for text in texts)
    assert complaints(es_limits, texts) == ""


def invocations(text: str) -> int:
    """Those of a work group, as a shader declares them."""
    defined = dict(re.findall(r"^#define (\w+) (\d+)$", text, re.MULTILINE))
    (sizes,) = re.findall(r"^layout\((local_size_x = .*)\) in;$", text, re.MULTILINE)
    return math.prod(int(defined.get(each, each)) for each in re.findall(r"= (\w+)", sizes))


def test_the_compiler_knows_the_limits(es_limits: Path, tmp_path: Path) -> None:
    bad = {
        "size": "layout(local_size_x = 129) in; void main() {}",
        "image": "layout(local_size_x = 1, rgba32f, binding = 4) in; "
        "layout(rgba32f, binding = 4) writeonly uniform highp image2D a; void main() {}",
        "format": "layout(local_size_x = 1) in; "
        "layout(rg32f, binding = 0) writeonly uniform highp image2D a; void main() {}",
    }
    for name, text in bad.items():
        (tmp_path / f"{name}.comp").write_text(f"#version 310 es\n{text}\n")
    # Each file's name comes before what is said of it.
    said = complaints(es_limits, sorted(tmp_path.glob("*.comp")))
    assert len(re.findall(r"\.comp\nERROR: ", said)) == len(bad), said


def test_what_is_portable_is_right(ctx: moderngl.Context, portable: tuple[glfft.Plan, Path]) -> None:
    plan, folder = portable
    for direction in ("forward", "inverse"):
        values = values_for(plan, direction)
        # Half floats are rounded after each pass.
        passes = len(manifest_of(folder)["directions"][direction]["passes"])
        floor = floor_of(plan.request.storage, passes, BLUESTEIN_DB)
        assert_close(run_folder(ctx, folder, plan, values, direction), exact(plan, values, direction), floor)


@pytest.mark.parametrize(
    ("shape", "options", "said"),
    [
        ((4, 4), {}, r"format rg32f.*\(--storage buffer\)"),
        ((4, 4), {"storage": "rgba16f", "real": True}, "format rg16f"),
        ((4, 4), {"storage": "buffer_double"}, "no float64"),
        ((4, 4), {"storage": "rgba32f", "algorithm": "ping-pong-stockham-radix2"}, "to read and write"),
        ((2, 2049), {"storage": "rgba32f", "axes": [0]}, "at most 2048"),
    ],
)
def test_what_is_not_portable_is_refused(
    ctx: moderngl.Context, tmp_path: Path, shape: tuple[int, ...], options: dict[str, Any], said: str
) -> None:
    with glfft.Plan(ctx, shape, **options) as plan, pytest.raises(GlfftError, match=said) as caught:
        plan.export(tmp_path / "exported", portable=True)
    assert_one_sentence(str(caught.value))
    assert not [*tmp_path.iterdir()]


GAUSSIAN = """
uniform float width;  // radians
uniform int copies;
value product(ivec3 at, value spectrum) {
    vec2 k = 6.2831853 * min(vec2(at.xy), vec2(COLUMNS, ROWS) - vec2(at.xy)) / vec2(COLUMNS, ROWS);
    return float(copies) * spectrum * exp(-0.5 * width * width * dot(k, k));
}
"""


@pytest.mark.parametrize("storage", ["rg32f", "buffer_pairs"])
def test_a_convolution_is_exported_with_the_numbers_of_its_snippet(
    ctx: moderngl.Context, tmp_path: Path, storage: str
) -> None:
    with glfft.Plan(ctx, (8, 12), storage=storage, multiply=GAUSSIAN) as plan:
        plan.set_uniforms(width=1.5, copies=2)
        folder = plan.export(tmp_path / "exported", spirv=storage == "rg32f")
        values = random_values(STORAGES[storage], (8, 12), None)
        result = run_folder(ctx, folder, plan, values, "convolve")
    passes = manifest_of(folder)["directions"]["convolve"]["passes"]
    uniforms = [each for made in passes for each in made["uniforms"] if not each["name"].startswith("glfft_")]
    assert {each["name"]: (each["type"], each["value"]) for each in uniforms} == {
        "width": ("float", 1.5),
        "copies": ("int", 2),
    }
    y, x = 2 * np.pi * np.fft.fftfreq(8)[:, None], 2 * np.pi * np.fft.fftfreq(12)
    spectrum = 2 * np.fft.fft2(values.astype(np.complex128)) * np.exp(-0.5 * 1.5**2 * (x**2 + y**2))
    # The shader's exp has a few units of rounding.
    assert_close(result, np.fft.ifft2(spectrum), COMPOSED_DB)


def test_ready_snippets_without_textures_are_exported(ctx: moderngl.Context, tmp_path: Path) -> None:
    with glfft.Plan(ctx, (8, 12), store=glfft.snippets.shift_store()) as plan:
        folder = plan.export(tmp_path / "exported")
        values = random_values(STORAGES["rg32f"], (8, 12), None)
        exact_spectrum = np.fft.fftshift(np.fft.fft2(values.astype(np.complex128)), axes=(2, 3))
        assert_close(run_folder(ctx, folder, plan, values, "forward"), exact_spectrum, BLUESTEIN_DB)


@pytest.mark.parametrize(
    ("declared", "name"),
    [
        ("uniform sampler2D window;", "window"),
        ("uniform vec2 centre;", "centre"),
        ("uniform float first, second;", "first"),
        ("layout(std430, binding = 0) readonly buffer Weights { float weights[]; };", "Weights"),
        ("layout(std140, binding = 0) uniform Sizes { float size; };", "Sizes"),
    ],
)
def test_what_else_snippets_declare_is_refused(ctx: moderngl.Context, tmp_path: Path, declared: str, name: str) -> None:
    load = f"{declared}\nvalue load(ivec3 at) {{ return read_source(at); }}"
    with (
        glfft.Plan(ctx, (4, 4), axes=[1], load=load, directions="forward") as plan,
        pytest.raises(OptionError, match=f"'{name}'") as caught,
    ):
        plan.export(tmp_path / "exported")
    assert_one_sentence(str(caught.value))
    assert not [*tmp_path.iterdir()]


def test_snippets_are_not_portable(ctx: moderngl.Context, tmp_path: Path) -> None:
    load = "value load(ivec3 at) { return read_source(at); }"
    with glfft.Plan(ctx, (4, 4), storage="buffer", load=load) as plan, pytest.raises(OptionError, match="snippets"):
        plan.export(tmp_path / "exported", portable=True)
    assert not [*tmp_path.iterdir()]
