"""Masks in files and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from glfft.apps.spectrum.retouching import load_mask, save_mask
from glfft.apps.spectrum.strokes import mirrored
from glfft.errors import DataError


@pytest.mark.parametrize(("name", "tolerance"), [("m.npz", 0.0), ("m.PNG", 0.5 / 65535)])
@pytest.mark.parametrize("shape", [(9, 14), (8, 5), (1, 1)])
def test_a_mask_is_read_as_it_was_written(folder: Path, name: str, tolerance: float, shape: tuple[int, int]) -> None:
    mask = mirrored(np.random.default_rng(0).random(shape).astype(np.float32))
    if name == "m.npz":
        np.savez(name, mask=mask)
    else:
        save_mask(name, mask)
    loaded, was_mirrored = load_mask(name)
    assert loaded.dtype == np.float32
    assert np.abs(loaded - mask).max() <= tolerance + 1e-7
    assert not was_mirrored


def test_a_painted_picture_is_mirrored(folder: Path) -> None:
    pixels = np.full((8, 10), 255, np.uint8)
    pixels[4 - 2, 5 + 3] = 0  # frequency -2, 3
    Image.fromarray(pixels).save("m.png")
    mask, was_mirrored = load_mask("m.png")
    assert was_mirrored
    assert {(int(y), int(x)) for y, x in np.argwhere(mask == 0)} == {(6, 3), (2, 7)}


def test_masks_of_numpy_may_be_of_any_plain_type(folder: Path) -> None:
    for dtype in (np.float64, np.uint8, bool):
        np.savez("m.npz", mask=np.ones((4, 6), dtype))
        assert np.array_equal(load_mask("m.npz")[0], np.ones((4, 6)))


@pytest.mark.parametrize(
    "arrays",
    [
        {"other": np.ones((4, 4))},
        {"mask": np.ones((4, 4, 4))},
        {"mask": np.ones((4, 4), complex)},
        {"mask": np.full((4, 4), np.nan)},
        {"mask": np.full((4, 4), 1.5)},
        {"mask": np.full((4, 4), -1)},
        {"mask": np.ones((0, 4))},
    ],
    ids=["none", "volume", "complex", "nan", "high", "low", "empty"],
)
def test_what_is_no_mask_is_refused(folder: Path, arrays: dict[str, np.ndarray]) -> None:
    np.savez("m.npz", **arrays)  # pyright: ignore[reportArgumentType]
    with pytest.raises(DataError) as refusal:
        load_mask("m.npz")
    assert str(refusal.value).startswith("m.npz is n")
    assert str(refusal.value).endswith(".")


def test_what_cannot_be_read_or_written_is_refused(folder: Path) -> None:
    Path("text.png").write_text("no picture")
    Path("text.npz").write_text("no arrays")
    for name in ("text.png", "text.npz", "none.png", "none.npz", "."):
        with pytest.raises(DataError):
            load_mask(name)


def test_a_small_file_may_not_take_all_memory(folder: Path) -> None:
    np.savez_compressed("m.npz", mask=np.zeros((9000, 9000), np.uint8))
    with pytest.raises(DataError, match="memory"):
        load_mask("m.npz")


@pytest.mark.parametrize("mode", ["LA", "RGBA", "P"])
def test_transparent_parts_of_a_mask_are_asked_about(folder: Path, mode: str) -> None:
    """They may be erased, or be where nothing was painted."""
    pixels = np.full((8, 10, 2), 255, np.uint8)
    Image.fromarray(pixels).convert("RGBA").save("m.png")
    assert np.array_equal(load_mask("m.png")[0], np.ones((8, 10)))
    pixels[2, 3, 1] = 0
    Image.fromarray(pixels).convert("RGBA").convert(mode).save("m.png")
    with pytest.raises(DataError, match=r"^m\.png: Parts of this mask are transparent"):
        load_mask("m.png")
