"""The programs of demos/: each is one short file of public names, runs, and draws what it says."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import re
import runpy
import sys
import wave
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from support.displays import QUICK_KERNELS, python
from support.paths import ROOT

import glfft

DEMOS = sorted((ROOT / "demos").glob("*.py"))
NEEDS = {"bloom": "moderngl_window", "spectrum_live": "pygame", "ocean": "imgui_bundle", "overlay": "imgui_bundle"}

every_demo = pytest.mark.parametrize("path", DEMOS, ids=lambda path: path.stem)


def load(name: str) -> ModuleType:
    """A demo as a module; its program does not run."""
    pytest.importorskip(NEEDS.get(name, "glfft"))
    spec = importlib.util.spec_from_file_location(f"demo_{name}", ROOT / "demos" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_RUN = f"""
import json, sys
{QUICK_KERNELS}
path, changes = sys.argv[1:3]
del sys.argv[:2]
sys.argv[0] = path
text = open(path, encoding="utf-8").read()
for there, instead in json.loads(changes).items():
    assert text.count(there) == 1, there
    text = text.replace(there, instead)
exec(compile(text, path, "exec"), {{"__name__": "__main__", "__doc__": ""}})
"""

# What a renderer without a GPU takes seconds for is drawn smaller, on a mesh as fine beside the pixels. Foam that soon
# goes is soon built up.
BLOOM = 112, 176, 72
SMALLER = {
    "bloom": {"MARGIN = 360, 640, 72": f"MARGIN = {BLOOM[0]}, {BLOOM[1]}, {BLOOM[2]}"},
    "floating_box": {
        "(1280, 720)": "(320, 180)",
        "STEP = 400, 512,": "STEP = 100, 128,",
        "size=128, tile": "size=64, foam_lifetime=0.1, tile",
    },
    "ocean": {"(1280, 720)": "(640, 360)", "FETCH = 256, 600, 400,": "FETCH = 128, 300, 200,"},
    "spectrum_live": {"SIZE = 1280, 720": "SIZE = 320, 180"},
}


def run(name: str, *arguments: Any, display: bool = False) -> str:
    """What a demo prints, in a process of its own."""
    pytest.importorskip(NEEDS.get(name, "glfft"))
    path, changes = str(ROOT / "demos" / f"{name}.py"), json.dumps(SMALLER.get(name, {}))
    done = python("-c", _RUN, path, changes, *map(str, arguments), display=display)
    assert done.returncode == 0, done.stderr
    return done.stdout


def pixels(path: Path) -> NDArray[np.float64]:
    """A picture [rows, columns, 3], from 0 to 1."""
    return np.asarray(Image.open(path).convert("RGB")) / 255.0


def photo(rows: int, columns: int, seed: int = 3) -> NDArray[np.float64]:
    """Smooth random colours that do not repeat, [rows, columns, 3], from 0 to 1."""
    y, x = np.fft.fftfreq(rows)[:, None, None], np.fft.fftfreq(columns)[None, :, None]
    noise = np.fft.fft2(np.random.default_rng(seed).standard_normal((rows, columns, 3)), axes=(0, 1))
    smooth = np.fft.ifft2(noise / (0.02 + np.hypot(y, x)) ** 1.5, axes=(0, 1)).real
    return (smooth - smooth.min()) / np.ptp(smooth)


def save(values: NDArray[np.float64], path: Path) -> Path:
    Image.fromarray(np.rint(255 * values.clip(0, 1)).astype(np.uint8)).save(path)
    return path


# --- All of them ----------------------------------------------------------------------------------------------------


def test_every_demo_is_here_and_has_its_picture() -> None:
    assert [path.stem for path in DEMOS] == [
        "bloom",
        "blur",
        "floating_box",
        "ocean",
        "overlay",
        "registration",
        "spectrum_live",
    ]
    page = (ROOT / "docs" / "demos.md").read_text(encoding="utf-8")
    for path in DEMOS:
        assert f"](../demos/{path.name})" in page
        picture = ROOT / "docs" / f"demo-{path.stem.replace('_', '-')}.jpg"
        assert f"]({picture.name})" in page
        assert picture.stat().st_size <= 150_000


@every_demo
def test_a_demo_has_at_most_150_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 150


@every_demo
def test_a_demo_uses_public_names_of_glfft_only(path: Path) -> None:
    api = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"\bglfft(?:\.\w+)+", api)) | {f"glfft.{name}" for name in glfft.__all__}
    used = set(_names_of_glfft(ast.parse(path.read_text(encoding="utf-8"))))
    assert used
    for name in used:
        module, _, last = name.rpartition(".")
        found = getattr(importlib.import_module(module), last)
        defined = f"{getattr(found, '__module__', module)}.{getattr(found, '__qualname__', last)}"
        assert {name, module, defined, defined.rpartition(".")[0]} & listed, name


def _names_of_glfft(tree: ast.Module) -> list[str]:
    """What a program imports from glfft or reads from it as an attribute, such as glfft.errors.DisplayError."""
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] == "glfft":
            names += [f"{node.module}.{each.name}" for each in node.names]
        if isinstance(node, ast.Import):
            assert not [each.name for each in node.names if each.name.startswith("glfft.")]
        if isinstance(node, ast.Attribute) and (dotted := ast.unparse(node)).startswith("glfft."):
            names.append(dotted)
    inner = {name.rpartition(".")[0] for name in names}
    return [name for name in names if name not in inner]


@pytest.mark.parametrize("name", ["ocean", "floating_box", "overlay"])
def test_without_a_display_a_demo_says_what_to_do(name: str) -> None:
    pytest.importorskip(NEEDS.get(name, "glfft"))
    done = python(str(ROOT / "demos" / f"{name}.py"), "--frames", "1", display=False)
    assert done.returncode == 1
    assert re.fullmatch(
        rf"No display: run xvfb-run -a python demos/{name}.py --frames \d+ --screenshot \S+\n", done.stderr
    )


def test_without_a_display_the_bloom_names_its_headless_window() -> None:
    """The demo of another library's windows."""
    pytest.importorskip("moderngl_window")
    done = python(str(ROOT / "demos" / "bloom.py"), "--frames", "1", display=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("No display: add --window headless --backend egl")


# --- Pictures in, pictures out --------------------------------------------------------------------------------------


def test_the_blur_is_the_convolution_of_light_with_a_gaussian(tmp_path: Path) -> None:
    values, radius = photo(40, 24), 4.0
    run("blur", save(values, tmp_path / "in.png"), tmp_path / "out.png", "--radius", radius)
    reach = np.arange(-16, 17)
    weights = np.exp(-(reach**2) / (2 * radius**2))
    exact = np.pad(pixels(tmp_path / "in.png") ** 2.2, [(16, 16), (16, 16), (0, 0)], mode="edge")
    for axis in (0, 1):
        exact = np.apply_along_axis(lambda line: np.convolve(line, weights / weights.sum(), "valid"), axis, exact)
    assert np.abs(pixels(tmp_path / "out.png") - exact ** (1 / 2.2)).max() < 2.5 / 255


def test_the_shift_that_is_found_is_the_true_one(tmp_path: Path) -> None:
    grey, shift = photo(256, 320)[..., 0], (6.5, -40.25)
    y, x = np.meshgrid(np.fft.fftfreq(256), np.fft.fftfreq(320), indexing="ij")
    moved = np.fft.ifft2(np.fft.fft2(grey) * np.exp(-2j * np.pi * (y * shift[0] + x * shift[1]))).real
    noise = np.random.default_rng(5).normal(0.0, 0.02, (2, 128, 192))
    for index, each in enumerate((grey, moved)):
        save(each[64:192, 64:256] + noise[index], tmp_path / f"{index}.png")
    printed = run("registration", tmp_path / "0.png", tmp_path / "1.png", tmp_path / "out.png")
    right, down = map(float, re.findall(r"[+-][\d.]+", printed))
    assert (down, right) == pytest.approx(shift, abs=0.25)
    before, after = np.split(pixels(tmp_path / "out.png"), 2, axis=1)
    inside = np.s_[42:-42, 42:-42]
    misfit = [np.abs(each[..., 0] - each[..., 1])[inside].mean() for each in (before, after)]
    assert misfit[1] < 0.04
    assert misfit[1] < 0.7 * misfit[0]


@pytest.fixture
def refusal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Gives what a demo says when it refuses its arguments, before anything needs a process of its own."""

    def refusal(name: str, *arguments: object) -> str:
        path = str(ROOT / "demos" / f"{name}.py")
        monkeypatch.setattr(sys, "argv", [path, *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            runpy.run_path(path, run_name="__main__")
        assert left.value.code == 2
        return capsys.readouterr().err

    return refusal


def test_pictures_of_two_sizes_are_refused(tmp_path: Path, refusal: Callable[..., str]) -> None:
    names = [save(photo(20, columns), tmp_path / f"{columns}.png") for columns in (30, 40)]
    assert "must be the same" in refusal("registration", *names, "out.png")


@pytest.mark.parametrize(("name", "files"), [("blur", 2), ("registration", 3)])
def test_a_picture_that_is_not_there_is_a_sentence(
    name: str, files: int, tmp_path: Path, refusal: Callable[..., str]
) -> None:
    said = refusal(name, *(tmp_path / f"{index}.png" for index in range(files)))
    assert "cannot read the picture" in said
    assert "Traceback" not in said


@pytest.mark.parametrize(("name", "files"), [("blur", 1), ("registration", 2)])
@pytest.mark.parametrize("out", ["out.xyz", "no/out.png"])
def test_a_picture_that_cannot_be_written_is_a_sentence(
    name: str, files: int, out: str, tmp_path: Path, refusal: Callable[..., str]
) -> None:
    said = refusal(name, *[save(photo(20, 30), tmp_path / "in.png")] * files, tmp_path / out)
    assert "cannot write the picture" in said
    assert [each.name for each in tmp_path.iterdir()] == ["in.png"]


# --- Bloom ----------------------------------------------------------------------------------------------------------


def test_a_bright_point_becomes_a_star_of_the_same_energy(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    bloom = load("bloom")
    rows, columns = (side + 2 * BLOOM[2] for side in BLOOM[:2])
    for name, value in (("ROWS", BLOOM[0]), ("COLUMNS", BLOOM[1]), ("SHAPE", (rows, columns))):
        monkeypatch.setattr(bloom, name, value)
    scene = np.zeros((2 * bloom.ROWS, 2 * bloom.COLUMNS, 4), np.float32)
    middle = bloom.ROWS, bloom.COLUMNS
    scene[middle[0] : middle[0] + 2, middle[1] : middle[1] + 2] = 100.0  # one pixel of the plan
    texture = ctx.texture((scene.shape[1], scene.shape[0]), 4, scene, dtype="f4")
    texture.build_mipmaps()
    spectra = bloom.aperture_spectra(0.15)
    assert np.allclose(spectra[:, 0, 0], 1.0, atol=1e-4)  # light is spread, not made
    target = ctx.texture_array((columns, rows, 3), 1, dtype="f4")
    aperture = ctx.texture_array((columns // 2 + 1, rows, 3), 2, spectra, dtype="f4")
    with glfft.Plan(ctx, bloom.SHAPE, layers=3, real=True, load=bloom.LOAD, multiply=bloom.MULTIPLY) as plan:
        plan.set_uniforms(scene=texture, aperture=aperture, margin=bloom.MARGIN)
        plan.convolve(None, target, next_use="read")
    light = np.frombuffer(target.read(), np.float32).reshape(3, rows, columns)
    assert light.sum(axis=(1, 2)) == pytest.approx([100.0] * 3, rel=1e-3)
    y, x = np.indices((rows, columns))
    y, x = y - bloom.MARGIN - bloom.ROWS // 2, x - bloom.MARGIN - bloom.COLUMNS // 2
    ring = (np.hypot(x, y) > 60) & (np.hypot(x, y) < 90)
    angles = np.degrees(np.arctan2(y, x)) % 60  # of six rays one
    profile = np.array([light[:, ring & (np.abs(angles - each) < 2)].mean() for each in range(2, 60, 4)])
    assert np.argmax(profile) == round((15 - 2) / 4)
    assert profile.max() > 20 * np.median(profile)


def test_bloom_draws_lamps_and_light_around_them(tmp_path: Path) -> None:
    out = tmp_path / "bloom.png"
    run("bloom", "--window", "headless", "--backend", "egl", "--frames", 1, "--screenshot", out)
    picture = pixels(out)
    assert picture.shape == (2 * BLOOM[0], 2 * BLOOM[1], 3)
    assert (picture.min(axis=2) > 0.97).sum() > 100  # the cores of stars
    around = picture[: 2 * BLOOM[0] // 3].max(axis=2)  # above all lamps there is nothing but night and rays
    assert np.percentile(around, 99) > np.median(around) + 0.05


# --- The seas -------------------------------------------------------------------------------------------------------


def test_the_ocean_has_the_height_of_its_spectrum_and_foam_where_it_is_squeezed(ctx: moderngl.Context) -> None:
    ocean = load("ocean")
    size, wind, gravity = ocean.SIZE, 14.0, 9.81
    alpha = 0.076 * (wind**2 / (ocean.FETCH * gravity)) ** 0.22
    peak = 22.0 * (gravity**2 / (wind * ocean.FETCH)) ** (1 / 3)
    fields, foam = (ctx.texture_array((size, size, n), c, dtype="f2") for n, c in ((6, 4), (3, 1)))
    foam.write(np.zeros((3, size, size), np.float16))
    normal = np.random.default_rng(1).standard_normal((3, size, size, 2), np.float32)
    noise = ctx.texture_array((size, size, 3), 2, normal, dtype="f4")
    options: dict[str, Any] = {"layers": 6, "storage": "rgba16f", "norm": "forward"}
    with glfft.Plan(ctx, (size, size), load=ocean.WAVES, store=ocean.FOAM, **options) as waves:
        waves.set_uniforms(tiles=ocean.TILES, foam=foam, noise=noise, alpha=alpha, peak=peak, time=7.0, fading=0.0)
        waves.inverse(None, fields)
    values = np.frombuffer(fields.read(), np.float16).reshape(3, 2, size, size, 4).astype(float)
    height = values[:, 0, ..., 0]
    omega = np.linspace(0.3, 20.0, 20_000) * peak
    width = np.where(omega < peak, 0.07, 0.09)
    bump = 3.3 ** np.exp(-0.5 * ((omega / peak - 1) / width) ** 2)
    density = alpha * gravity**2 / omega**5 * np.exp(-1.25 * (peak / omega) ** 4) * bump
    theory = 4 * np.sqrt(np.sum(density) * (omega[1] - omega[0]))
    assert 4 * np.sqrt(height.var(axis=(1, 2)).sum()) == pytest.approx(theory, rel=0.2)  # one seed, six waves a tile
    for tile, side in enumerate(ocean.TILES):
        k = 2j * np.pi / side * np.fft.fftfreq(size, 1 / size)
        slope = np.fft.ifft(np.fft.fft(height[tile], axis=1) * k, axis=1).real
        assert np.abs(values[tile, 0, ..., 3] - slope).max() < 0.03 * np.abs(slope).max()
        z, xx, zz, xz = np.moveaxis(values[tile, 1], -1, 0)
        assert z.std() > 0
        squeezed = 1 - ((1 + xx) * (1 + zz) - xz**2)
        stored = np.frombuffer(foam.read(), np.float16).reshape(3, size, size)[tile]
        assert np.abs(stored - squeezed.clip(0)).max() < 0.01


@pytest.mark.window
def test_the_ocean_draws_a_sky_a_sea_and_the_glitter_of_the_sun(tmp_path: Path) -> None:
    run("ocean", "--frames", 2, "--screenshot", tmp_path / "sea.png", display=True)
    picture = pixels(tmp_path / "sea.png")
    sky, sea = picture[:100], picture[160:, 350:]  # beside the overlay
    assert sky.mean() > 1.5 * sea.mean()
    steps = [np.abs(np.diff(each.mean(axis=2), axis=1)).mean() for each in (sky, sea)]
    assert steps[1] > 5 * steps[0]  # waves are rough, the sky is smooth
    beneath_the_sun = picture[150:210, 360:440]
    assert (beneath_the_sun.min(axis=2) > 0.9).mean() > 3 * (sea[:, 150:].min(axis=2) > 0.9).mean() + 0.05


def test_the_box_comes_to_rest_at_the_depth_of_archimedes_and_leans_with_the_water() -> None:
    floating_box = load("floating_box")
    body = floating_box.Body()
    for _ in range(900):
        body.move(np.zeros(25))
    sunk = floating_box.MASS / (1025.0 * floating_box.BOX[0] * floating_box.BOX[2])
    assert body.place[1] == pytest.approx(floating_box.BOX[1] / 2 - sunk, abs=0.005)
    assert np.allclose(body.turn, np.eye(3), atol=1e-3)
    for _ in range(900):
        body.move(0.1 * (body.floor @ body.turn.T)[:, 0])
    assert np.allclose(body.turn @ body.turn.T, np.eye(3), atol=1e-9)
    # Lift turns it to the water's slope and weight turns it over: by the metacentre, for 25 columns of equal areas.
    metacentre = np.var(body.floor[:, 0]) / sunk
    weight_above_lift = (floating_box.BOX[1] - sunk) / 2
    assert body.turn[1, 0] == pytest.approx(0.1 * metacentre / (metacentre - weight_above_lift), abs=0.003)


@pytest.mark.window
def test_the_box_floats_on_the_sea_that_is_drawn(tmp_path: Path) -> None:
    printed = run("floating_box", "--frames", 2, "--screenshot", tmp_path / "box.png", display=True)
    box, water = map(float, re.findall(r"[+-][\d.]+", printed))
    assert abs(box - water) < 0.8
    red, green, blue = np.moveaxis(pixels(tmp_path / "box.png"), -1, 0)
    assert 0.01 < ((red > 1.5 * green) & (red > 2 * blue)).mean() < 0.3
    assert (blue > red)[125:].mean() > 0.8


# --- The overlay ----------------------------------------------------------------------------------------------------


@pytest.mark.window
def test_the_overlay_is_drawn_beside_cubes(tmp_path: Path) -> None:
    run("overlay", "--cubes", 40, "--frames", 2, "--screenshot", tmp_path / "out.png", display=True)
    picture = pixels(tmp_path / "out.png")
    background = picture[-1, 0]
    assert picture[20:280, 20:430].mean() < 0.5 * background.mean()  # the panel is darker than the haze
    scene = picture[:, 460:]
    assert (np.abs(scene - background).max(axis=-1) > 0.08).mean() > 0.01


# --- The spectrogram ------------------------------------------------------------------------------------------------


@pytest.mark.window
def test_a_tone_is_a_line_at_its_frequency(tmp_path: Path) -> None:
    tone = 0.5 * np.sin(2 * np.pi * 3000.0 * np.arange(44100) / 44100)  # 57 frames
    with wave.open(str(tmp_path / "tone.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(44100)
        file.writeframes((tone * 32767).astype("<i2").tobytes())
    run("spectrum_live", tmp_path / "tone.wav", "--frames", 256, "--screenshot", tmp_path / "out.png", display=True)
    bright = pixels(tmp_path / "out.png").sum(axis=2)
    row = round(179 * (1 - np.log(3000 / 100) / np.log(22050 / 100)))
    newest, old = bright[:, 250:260], bright[:, :175]
    assert int(newest.mean(axis=1).argmax()) == row
    assert newest[row].mean() > 1.5
    assert newest[: row - 7].mean() < 0.2
    assert old.mean() < 0.01  # 57 frames fill a quarter of the picture


@pytest.mark.skipif(sys.platform != "linux", reason="SDL finds another display elsewhere")
def test_the_spectrogram_without_a_display_says_what_to_do() -> None:
    pytest.importorskip("pygame")
    done = python(str(ROOT / "demos" / "spectrum_live.py"), display=False)
    assert done.returncode == 1
    assert "set DISPLAY" in done.stderr
