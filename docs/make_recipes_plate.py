"""Makes recipes.jpg: what the programs of recipes.md draw, which it runs on the sea of the README.

`python docs/make_recipes_plate.py` writes it anew beside this file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import examples
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from glfft.sea.fields import reference_fields
from glfft.sea.settings import OceanSettings

_FOLDER = Path(__file__).parent
_HEIGHT, _GAP, _CAPTION = 288, 16, 30


def make_plate() -> Image.Image:
    """The plate: three pictures side by side."""
    with Image.open(_FOLDER.parent / "assets" / "ocean.png") as picture:
        shown = np.asarray(picture.convert("RGB"), dtype=np.float64) / 255
    light = shown**2.2
    scene = light / (1.03 - light)  # as bright as a tone curve may have found it
    programs = iter(examples.programs((_FOLDER / "recipes.md").read_text(encoding="utf-8")))
    names: dict[str, Any] = {}
    exec(next(programs).code, names)
    names["scene"] = _texture(names["ctx"], scene)
    live, glare, _, _, slopes, *_ = (program.code for program in programs if "assert" not in program.code)
    panels = {"a live spectrum": _run(live, names, "shown")[..., :3] / 255}

    bright = _run(glare, names, "glare")[..., :3].astype(np.float64)
    cut = [
        round((side - covered / names["scale"]) / 2)
        for side, covered in zip(bright.shape[:2], scene.shape[:2], strict=True)
    ]
    inside = bright[cut[0] : bright.shape[0] - cut[0], cut[1] : bright.shape[1] - cut[1]]
    lit = scene + _resized(inside, scene.shape[:2])
    panels["glare"] = (1.03 * lit / (1 + lit)).clip(0, 1) ** (1 / 2.2)

    _run(slopes, names, "normals")
    sea = OceanSettings(size=256, tile=40.0)
    heights = reference_fields(sea, 0.0)["height"]
    names["amplitudes"].write(np.fft.fft2(heights).astype(np.complex64).tobytes())
    names["plan"].set_uniforms(steepness=1 / sea.spacing)
    panels["a normal map"] = _run("plan.inverse(amplitudes, None)", names, "normals")[..., :3] / 255
    return _laid_out(panels)


def _texture(ctx: Any, picture: NDArray[np.float64]) -> Any:
    rows, columns = picture.shape[:2]
    upright = np.dstack([picture[::-1], np.ones((rows, columns))]).astype(np.float16)
    return ctx.texture((columns, rows), 4, upright.tobytes(), dtype="f2")


def _run(program: str, names: dict[str, Any], texture: str) -> NDArray[Any]:
    """What a program leaves in one of its textures, first row at the top."""
    exec(program, names)
    held = names[texture]
    numbers = np.frombuffer(held.read(), np.float16 if held.dtype == "f2" else np.uint8)
    return numbers.reshape(held.height, held.width, held.components)[::-1]


def _resized(picture: NDArray[np.float64], shape: tuple[int, ...]) -> NDArray[np.float64]:
    channels = (Image.fromarray(channel.astype(np.float32)) for channel in np.moveaxis(picture, -1, 0))
    return np.dstack([channel.resize(shape[::-1], Image.Resampling.BICUBIC) for channel in channels]).astype(np.float64)


def _laid_out(panels: dict[str, NDArray[np.float64]]) -> Image.Image:
    pictures = {caption: Image.fromarray((255 * panel + 0.5).astype(np.uint8)) for caption, panel in panels.items()}
    widths = {caption: _HEIGHT * picture.width // picture.height for caption, picture in pictures.items()}
    plate = Image.new("RGB", (sum(widths.values()) + _GAP * (len(widths) + 1), _HEIGHT + _GAP + _CAPTION), "white")
    pen, x = ImageDraw.Draw(plate), _GAP
    for caption, picture in pictures.items():
        plate.paste(picture.resize((widths[caption], _HEIGHT), Image.Resampling.LANCZOS), (x, _GAP))
        middle = (x + widths[caption] // 2, _GAP + _HEIGHT + _CAPTION // 2)
        pen.text(middle, caption, "#222222", ImageFont.load_default(17), "mm")
        x += widths[caption] + _GAP
    return plate


if __name__ == "__main__":
    make_plate().save(_FOLDER / "recipes.jpg", quality=85, subsampling=0)
