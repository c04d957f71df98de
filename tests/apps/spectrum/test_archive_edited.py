"""A painted picture of a spectrum and its data, back to a picture."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest
from PIL import Image
from support.retouching import landscape
from support.spectrum import DONE, FAILED, USAGE, picture, spectrum
from support.spectrum import one_context as one_context

from glfft.apps.spectrum.archive import edited_spectrum, load_archive, load_view
from glfft.apps.spectrum.display import choose_range

WAVE = (20, 31)  # cycles, down and across
SHAPE = (96, 120)


def striped(name: str, bands: int = 1) -> np.ndarray:
    """Save a picture with a wave over it; returns the clean one, 0 to 255."""
    clean = landscape(SHAPE, bands=bands) * 0.8 + 0.1
    y, x = np.indices(SHAPE)
    wave = 0.1 * np.cos(2 * np.pi * (WAVE[0] * y / SHAPE[0] + WAVE[1] * x / SHAPE[1]))
    both = clean + (wave[..., None] if bands else wave)
    Image.fromarray(np.squeeze(np.rint(both * 255).astype(np.uint8))).save(name)
    return np.squeeze(clean * 255)


def restored(*options: str) -> np.ndarray:
    assert spectrum("--inverse", "d.npz", "--edited", "e.png", "-o", "back.png", *options) == DONE
    with Image.open("back.png") as back:
        return np.asarray(back).astype(int)


@pytest.mark.parametrize(
    "options", [[], ["--colormap", "grey"], ["--no-shift", "--scale", "sqrt"], ["--view", "power"]]
)
def test_black_over_one_peak_takes_its_opposite_along(
    folder: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    clean = striped("a.png")
    assert spectrum("a.png", *options, "--save-data", "d.npz", "-o", "s.png") == DONE
    with Image.open("s.png") as shown:
        painted = np.asarray(shown).copy()
    row, column = WAVE if "--no-shift" in options else (SHAPE[0] // 2 + WAVE[0], SHAPE[1] // 2 + WAVE[1])
    painted[row, column] = 0
    Image.fromarray(painted).save("e.png")
    back = restored()
    said = capsys.readouterr().out
    assert "2 frequencies edited, edit mirrored" in said
    assert "imaginary" not in said
    # The wave is 25 levels high. What the picture itself had at that frequency is less than 2.
    assert np.abs(back - clean).max() <= 2


@pytest.mark.parametrize(("name", "mode"), [("e.jpg", "RGB"), ("e.png", "L"), ("e.png", "P")])
def test_a_file_that_changes_colours_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, mode: str
) -> None:
    striped("a.png")
    assert spectrum("a.png", "--save-data", "d.npz", "-o", "s.png") == DONE
    with Image.open("s.png") as shown:
        shown.convert("RGB").convert(mode).save(name)
    assert spectrum("--inverse", "d.npz", "--edited", name, "-o", "back.png") == FAILED
    assert "save it as a PNG in RGB" in capsys.readouterr().err
    assert not Path("back.png").exists()


def test_a_palette_that_has_all_colours_will_do(folder: Path) -> None:
    clean = striped("a.png")
    assert spectrum("a.png", "--colormap", "grey", "--save-data", "d.npz", "-o", "s.png") == DONE
    with Image.open("s.png") as shown:
        painted = np.asarray(shown.convert("L")).copy()
    painted[SHAPE[0] // 2 + WAVE[0], SHAPE[1] // 2 + WAVE[1]] = 0
    image = Image.fromarray(painted, "P")
    image.putpalette(np.repeat(np.arange(256, dtype=np.uint8), 3).tobytes())
    image.save("e.png")
    assert np.abs(restored() - clean).max() <= 2


@pytest.mark.parametrize("colours", [64, 256])
def test_a_palette_that_only_comes_near_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], colours: int
) -> None:
    """A spectrum in "ember" has some 600 colours: 256 hit most pixels, and miss some by little."""
    striped("a.png")
    assert spectrum("a.png", "--save-data", "d.npz", "-o", "s.png") == DONE
    with Image.open("s.png") as shown:
        shown.convert("RGB").quantize(colours, dither=Image.Dither.NONE).save("e.png")
    assert spectrum("--inverse", "d.npz", "--edited", "e.png", "-o", "back.png") == FAILED
    assert "e.png has a palette without all the spectrum's colours; save it as a PNG in RGB." in capsys.readouterr().err


def test_black_also_takes_what_was_nearly_black(folder: Path, ctx: moderngl.Context) -> None:
    striped("a.png")
    assert spectrum("a.png", "--scale", "linear", "--colormap", "grey", "--save-data", "d.npz", "-o", "s.png") == DONE
    archive, view = load_archive("d.npz"), load_view("d.npz")
    with Image.open("s.png") as shown:
        levels = np.fft.ifftshift(np.asarray(shown.convert("L")))
    Image.fromarray(np.zeros((*SHAPE, 3), np.uint8)).save("e.png")
    values, _ = edited_spectrum(ctx, archive, view, "e.png")
    assert np.count_nonzero(levels == 2) > 10
    assert not values[0][levels >= 2].any()


def test_three_channels_in_one_picture(folder: Path) -> None:
    clean = striped("a.png", bands=3)
    assert spectrum("a.png", "--channel", "rgb", "--save-data", "d.npz", "-o", "s.png") == DONE
    with Image.open("s.png") as shown:
        painted = np.asarray(shown).copy()
    painted[SHAPE[0] // 2 - WAVE[0], SHAPE[1] // 2 - WAVE[1]] = 0
    Image.fromarray(painted).save("e.png")
    assert np.abs(restored() - clean).max() <= 2


def test_what_is_erased_goes(folder: Path) -> None:
    clean = striped("a.png")
    assert spectrum("a.png", "--save-data", "d.npz", "-o", "s.png") == DONE
    with Image.open("s.png") as shown:
        painted = np.asarray(shown.convert("RGBA")).copy()
    painted[SHAPE[0] // 2 + WAVE[0], SHAPE[1] // 2 + WAVE[1], 3] = 0
    Image.fromarray(painted).save("e.png")
    assert np.abs(restored() - clean).max() <= 2


def test_what_is_a_little_transparent_keeps_nearly_all(folder: Path) -> None:
    """Also magnitudes beyond the brightest colour, such as the mean's."""
    striped("a.png", bands=3)
    with Image.open("a.png") as image:
        before = np.asarray(image).astype(int)
    assert spectrum("a.png", "--channel", "rgb", "--save-data", "d.npz", "-o", "s.png") == DONE
    with Image.open("s.png") as shown:
        painted = shown.convert("RGBA")
        painted.putalpha(254)
        painted.save("e.png")
    assert np.abs(restored() - before).max() <= 2


def test_the_painted_picture_is_not_replaced(folder: Path) -> None:
    striped("a.png")
    assert spectrum("a.png", "--save-data", "d.npz", "-o", "s.png") == DONE
    painted = Path("s.png").read_bytes()
    assert spectrum("--inverse", "d.npz", "--edited", "s.png", "-o", "s.png") == USAGE
    assert Path("s.png").read_bytes() == painted


@pytest.mark.parametrize("view", ["magnitude", "power"])
@pytest.mark.parametrize("scale", ["log", "sqrt", "linear"])
def test_another_colour_is_another_magnitude(folder: Path, ctx: moderngl.Context, view: str, scale: str) -> None:
    picture("a.png", *SHAPE, bands=1)
    shown = ["--view", view, "--scale", scale, "--colormap", "grey"]
    assert spectrum("a.png", *shown, "--save-data", "d.npz", "-o", "s.png") == DONE
    with Image.open("s.png") as drawn:
        painted = np.asarray(drawn).copy()
    level = 100
    painted[SHAPE[0] // 2 + 3, SHAPE[1] // 2 - 4] = level
    Image.fromarray(painted).save("e.png")
    archive = load_archive("d.npz")
    values, _ = edited_spectrum(ctx, archive, load_view("d.npz"), "e.png")
    limits = choose_range(archive.spectrum, scale)
    if scale == "log":
        expected = limits.white * (limits.black / limits.white) ** (1 - level / 255)
    else:
        expected = limits.white * (level / 255) ** (
            {"sqrt": 2, "linear": 1}[scale] / {"magnitude": 1, "power": 2}[view]
        )
    assert np.abs([values[0, 3, -4], values[0, -3, 4]]) == pytest.approx(expected, rel=1e-5)
    phases = [each * archive.spectrum[0, 3, -4].conj() for each in (values[0, 3, -4], values[0, -3, 4].conj())]
    assert np.allclose(np.angle(phases), 0, atol=1e-5)
    assert np.count_nonzero(values != archive.spectrum) == 2


def test_what_was_not_painted_stays(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pixels = picture("a.png", 15, 22, bands=1)
    assert spectrum("a.png", "--save-data", "d.npz", "-o", "e.png") == DONE
    assert np.abs(restored() - pixels).max() <= 1
    assert "0 frequencies edited" in capsys.readouterr().out


def test_what_goes_with_no_data_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture("a.png", 15, 22)
    edited = ["--inverse", "d.npz", "--edited", "s.png", "-o", "back.png"]
    for options in (["--view", "phase"], ["--view", "complex"], ["--channel", "rgb", "--colormap", "grey"]):
        assert spectrum("a.png", *options, "--save-data", "d.npz", "-o", "s.png") == DONE
        assert spectrum(*edited) == USAGE
        assert "magnitude" in capsys.readouterr().err
    assert spectrum("a.png", "--save-data", "d.npz", "-o", "s.png") == DONE
    picture("s.png", 15, 21)
    assert spectrum(*edited) == FAILED
    assert "s.png is 21x15 and the spectrum 22x15" in capsys.readouterr().err
    assert spectrum("a.png", "--edited", "s.png") == USAGE
    assert "--inverse" in capsys.readouterr().err
    assert not Path("back.png").exists()
