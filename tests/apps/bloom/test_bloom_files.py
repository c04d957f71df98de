"""Pictures with glare as files: light kept in EXR, sizes of comparisons, refusals before any work."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from support.files import left_behind
from support.sentences import assert_one_sentence
from support.tolerances import LIGHT

from glfft.apps.bloom import bloom
from glfft.apps.bloom.bloom import Look, check_output, load, pictures, write
from glfft.apps.bloom.radiance_files import read_radiance, write_exr
from glfft.apps.bloom.sources import Source, Still, upload
from glfft.apps.glare.lens import Lens
from glfft.errors import DataError, GlfftError, OutputError

LOOK = Look(lens=Lens(f_number=64.0), kernel=31)


@pytest.fixture(autouse=True)
def _apertures_of_few_texels(monkeypatch):
    monkeypatch.setattr(bloom, "DETAIL", 128)


def lamp():
    picture = np.zeros((54, 96, 3), np.float32)
    picture[20:44, 30:66] = np.random.default_rng(2).random((24, 36, 3)) ** 6 * 900
    return picture


def test_an_exr_holds_the_same_light(ctx, tmp_path):
    pytest.importorskip("OpenEXR")
    with Still(ctx, lamp(), True) as source:
        write(ctx, source, LOOK, tmp_path / "a.exr")
    found, _ = read_radiance(tmp_path / "a.exr")
    np.testing.assert_allclose(found.mean(axis=(0, 1)), lamp().mean(axis=(0, 1)), rtol=LIGHT)
    assert (found[17, 40] > 0).all()
    assert left_behind(tmp_path) == ["a.exr"]


class Moving(Source):
    """A lamp that moves to the right, a pixel a second, with row 0 of its light at the bottom."""

    moves, top_first, beyond_white, exposure, size = True, False, True, 2.0, (96, 54)

    def __init__(self, ctx):
        self._ctx, self._texture = ctx, None

    def light(self, time, profiler=None):
        self.release()
        picture = np.zeros((54, 96, 3), np.float32)
        picture[10, 20 + int(time)] = 50.0
        self._texture = upload(self._ctx, picture)
        return self._texture

    def release(self):
        if self._texture:
            self._texture.release()


def test_a_film_has_a_picture_for_each_time(ctx):
    with Moving(ctx) as source:
        row = [picture.astype(int) for picture in pictures(ctx, source, LOOK, [0.0, 4.0, 9.0])]
    places = [np.unravel_index(picture.sum(axis=2).argmax(), picture.shape[:2]) for picture in row]
    assert places == [(43, 20), (43, 24), (43, 29)]


@pytest.mark.parametrize("compare", [None, "mipmaps"])
def test_a_comparison_lies_beside_the_picture(ctx, tmp_path, compare):
    with Still(ctx, lamp(), True) as source:
        write(ctx, source, replace(LOOK, compare=compare), tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.size == ((192 if compare else 96), 54)
        pixels = np.asarray(picture).astype(int)
    if compare:
        assert (pixels[:, :96] != pixels[:, 96:]).any()


def test_pictures_have_their_own_size(tmp_path):
    Image.new("RGB", (24, 20), (255, 0, 0)).save(tmp_path / "a.png")
    light, beyond_white = load(str(tmp_path / "a.png"))
    assert light.shape == (20, 24, 3)
    assert not beyond_white
    np.testing.assert_allclose(light[3, 3], [1, 0, 0])


@pytest.mark.parametrize("light", [-1.0, 1e6, np.inf, np.nan])
def test_light_that_half_floats_cannot_hold_is_told(tmp_path, light):
    pytest.importorskip("OpenEXR")
    picture = np.ones((20, 20, 3), np.float32)
    picture[3, 4] = light
    write_exr(tmp_path / "a.exr", picture)
    with pytest.warns(UserWarning, match="light outside 0 to 65504"):
        load(str(tmp_path / "a.exr"))


def test_a_picture_that_is_too_small_is_a_sentence(tmp_path):
    Image.new("RGB", (5, 200)).save(tmp_path / "a.png")
    with pytest.raises(DataError) as refused:
        load(str(tmp_path / "a.png"))
    assert_one_sentence(str(refused.value).replace(str(tmp_path), "Folder"))


@pytest.mark.parametrize("name", ["a.gif", "a", "missing/a.png", "."])
def test_what_cannot_be_written_is_refused_before_any_work(tmp_path, name):
    with pytest.raises(GlfftError) as refused:
        check_output(tmp_path / name, LOOK)
    assert_one_sentence(str(refused.value).replace(str(tmp_path), "Folder"))
    assert not list(tmp_path.iterdir())


def test_a_device_is_no_file():
    with pytest.raises(OutputError):
        check_output("/proc/self/x.png", LOOK)
