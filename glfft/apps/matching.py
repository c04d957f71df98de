"""Where a template lies in a picture file: the steps of `glfft match`."""

import json
import os
from dataclasses import asdict, dataclass

import moderngl
import numpy as np
from PIL import Image, ImageDraw

from glfft.apps.picture_files import save_picture
from glfft.apps.spectrum.outputs import check_not_a_source, check_picture_suffix
from glfft.apps.spectrum.source_pictures import named, read_picture
from glfft.convolution.peaks import PeakFinder
from glfft.convolution.pictures import uploaded
from glfft.convolution.templates import TemplateMatch
from glfft.errors import DataError
from glfft.files import check_writable
from glfft.gl.context import open_context
from glfft.gl.releasable import released_after

_INNER, _OUTER = (255, 230, 0), (0, 0, 0)


@dataclass(frozen=True)
class Match:
    """Where a template lies: its upper left corner, pixels from the picture's, and its size; and how well it fits."""

    x: float  # pixels to the right, to a tenth
    y: float  # pixels down, to a tenth
    width: int  # width, height: of the template, pixels
    height: int
    score: float  # the normalised cross-correlation there, 1 for the same pattern


def match_files(image: str, template: str, output: str | None, as_json: bool) -> None:
    """Print where a template lies in a picture, as text or JSON, and write the picture with a frame there if asked.
    Raises DataError where a file cannot be read, holds NaN or infinity, or the template is flat or larger than the
    picture; UsageError or OutputError for the output; LimitError and ContextError as `glfft.Plan`.
    """
    if output is not None:
        check_picture_suffix(output)
        check_not_a_source(output, [image, template])
        check_writable(output)
    whole, part = (_read(each) for each in (image, template))
    if part.shape[0] > whole.shape[0] or part.shape[1] > whole.shape[1]:
        sizes = [f"{each.shape[1]}x{each.shape[0]}" for each in (part, whole)]
        larger = f"The template {template} is {sizes[0]} and larger than {image}, which is {sizes[1]}"
        raise DataError(f"{larger}; crop it, or name the picture first.")
    if np.ptp(part) == 0:
        raise DataError(f"The template {template} has one colour, which can be anywhere; choose another.")
    found = find(open_context(), whole, part)
    if output is not None:
        save_picture(output, marked(read_picture(image, "rgb")[0], found))
    if as_json:
        print(json.dumps({"image": image, "template": template, **asdict(found)}))
        return
    written = "" if output is None else f" -> {output}"
    print(f"{template} in {image}: x {found.x:.1f}, y {found.y:.1f}, score {found.score:.3f} of 1{written}")


def find(ctx: moderngl.Context, whole: np.ndarray, part: np.ndarray) -> Match:
    """The best place of a template in a picture, both float32 [rows, columns]; errors as for `glfft.TemplateMatch`."""
    with (
        TemplateMatch(ctx, whole.shape, part.shape) as match,
        PeakFinder(ctx, match.output_shape) as finder,
        uploaded(ctx, np.ascontiguousarray(whole)) as (source,),
        released_after(scores := ctx.texture(match.output_shape[::-1], 1, dtype="f4")),
    ):
        match.set_template(part)
        match.run(source, scores, next_use="sample")
        finder.run(scores)
        peak = finder.read()
    # Interpolation may go past 1, and what is computed past a tenth is not known.
    score = round(min(peak.value, 1.0), 4)
    return Match(round(peak.column, 1) + 0.0, round(peak.row, 1) + 0.0, part.shape[1], part.shape[0], score)


def marked(planes: np.ndarray, found: Match) -> Image.Image:
    """A picture of planes [3, rows, columns] with a yellow frame around what was found, between black lines."""
    levels = np.rint(255 * np.clip(np.nan_to_num(planes), 0, 1)).astype(np.uint8)
    image = Image.fromarray(np.ascontiguousarray(np.moveaxis(levels, 0, -1)))
    draw = ImageDraw.Draw(image)
    thick = max(1, round(min(image.size) / 300))
    left, top = round(found.x), round(found.y)
    right, bottom = left + found.width - 1, top + found.height - 1
    # Outside what was found, which stays as it was.
    for reach, colour in ((3 * thick, _OUTER), (2 * thick, _INNER), (thick, _OUTER)):
        draw.rectangle((left - reach, top - reach, right + reach, bottom + reach), outline=colour, width=thick)
    return image


def _read(path: str | os.PathLike[str]) -> np.ndarray:
    with named(path):
        plane = read_picture(path)[0][0]
    if not np.isfinite(plane).all():
        raise DataError(f"The picture {os.fspath(path)} has NaN or infinity in it; replace those by numbers.")
    return plane
