"""Textures of pictures, kernels and templates: made, filled with arrays and checked."""

import itertools
import operator
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
from moderngl import Context, InvalidObject, Texture, TextureArray

from glfft.errors import DataError, LimitError, OptionError, ShapeError, TextureError, shown, size_text
from glfft.gl.bindings import source_texture_unit
from glfft.gl.context import state_of
from glfft.gl.releasable import Keeper
from glfft.gl.textures import Completeness

Picture = Texture | TextureArray
Ints = Sequence[int]


def snippet(name: str, **defines: object) -> str:
    """A snippet of a file with these constants."""
    return "".join(f"#define {define} {value}\n" for define, value in defines.items()) + f'#include "{name}.glsl"\n'


def check_within(what: str, shape: Ints, picture: Ints, advice: str) -> None:
    """Make sure that a kernel or template is at most as large as a picture. Raises ShapeError if not."""
    if any(own > most for own, most in zip(shape, picture, strict=True)):
        sizes = size_text(shape), size_text(picture)
        raise ShapeError(f"The {what} {sizes[0]} is larger than the picture {sizes[1]} (rows x columns); {advice}.")


def check_size(ctx: Context, given: Mapping[str, Ints], transform: Ints, advice: str) -> None:
    """Raise LimitError, ending with the advice, where textures do not hold what is given by name, or its transform."""
    most = state_of(ctx).limits.texture_size
    if max(*transform, *itertools.chain(*given.values())) > most:
        sizes = " and ".join(f"the {name} {size_text(shape)}" for name, shape in given.items())
        takes = f"{sizes.capitalize()} (rows x columns) take a transform of {size_text(transform)}"
        raise LimitError(f"{takes}, and this device's textures have at most {most} rows and columns; {advice}.")


def ivec2(rows_and_columns: Ints) -> str:
    """GLSL of (columns, rows)."""
    rows, columns = rows_and_columns
    return f"ivec2({columns}, {rows})"


def make_texture(ctx: Context, shape: Ints, layers: int | None, channels: int) -> Picture:
    """A texture of float32, (rows, columns), or an array of them."""
    make: Any = ctx.texture if layers is None else ctx.texture_array
    return make(shape[::-1] if layers is None else (*shape[::-1], layers), channels, dtype="f4")


def check_texture(
    texture: Any, role: str, shape: tuple[int, int], ctx: Context, layers: int | None = None, by_plan: bool = False
) -> None:
    """Raise TextureError for no texture of (rows, columns), or array of them, in ctx; by_plan, snippets check more."""
    wanted = shape[::-1] if layers is None else (*shape[::-1], layers)
    kind = Texture if layers is None else TextureArray
    if not isinstance(texture, kind):
        raise TextureError(f"The {role} must be a moderngl.{kind.__name__}, not {type(texture).__name__}.")
    if tuple(texture.size) != wanted:
        have, want = size_text(texture.size), size_text(wanted)
        raise TextureError(f"The {role} is {have} and must be {want}, in columns x rows.")
    if isinstance(texture.mglo, InvalidObject) or texture.ctx is not ctx:
        raise TextureError(f"The {role} has been released, or belongs to another context than this; make a new one.")
    levels = state_of(ctx).cache("levels", lambda: Completeness(ctx, source_texture_unit(state_of(ctx).limits)))
    if not (levels.begins_at_first(texture) and (by_plan or levels.of(texture))):
        raise TextureError(f"The {role} begins at a smaller mipmap or lacks those of its filter; call build_mipmaps().")
    if texture.dtype[0] in "iu" or getattr(texture, "samples", 0):
        raise TextureError(f"The {role} must be of floats or normalised numbers ('f1', 'f2', 'f4'), with one sample.")
    no_image = role == "target" and (texture.components == 3 or not levels.takes_stores(texture))
    if (getattr(texture, "depth", False) or no_image) and not by_plan:
        raise TextureError(f"The {role} must not be a depth texture; a target has 1, 2 or 4 channels and is not sRGB.")


def check_target(texture: Any, shape: tuple[int, int], ctx: Context, layers: int | None, channels: int) -> None:
    """Make sure that a result of so many channels has room in a texture or an array. Raises TextureError if not."""
    check_texture(texture, "target", shape, ctx, layers, by_plan=True)
    if texture.components < channels:
        have = f"The target has {texture.components} of the {channels} channels of the result"
        raise TextureError(f"{have}; take a texture with {channels}, or a storage= with fewer.")


def shape_of(name: str, given: Ints) -> tuple[int, int]:
    """(rows, columns) as given. Raises ShapeError where they are not two numbers of at least 1."""
    try:
        rows, columns = (operator.index(length) for length in given)
    except (TypeError, ValueError):
        raise ShapeError(f"The {name}'s shape is {shown(given)} and must be (rows, columns).") from None
    if rows < 1 or columns < 1:
        raise ShapeError(f"The {name} is {size_text((rows, columns))}; it needs at least one row and one column.")
    return rows, columns


@contextmanager
def uploaded(ctx: Context, *pictures: npt.NDArray[np.float32]) -> Iterator[list[Texture]]:
    """Textures of pictures, [rows, columns] or [rows, columns, channels], inside the `with` block."""
    with Keeper() as keeper:
        sizes = [(each.shape[1::-1], each.shape[2] if each.ndim > 2 else 1) for each in pictures]
        made = (ctx.texture(*size, each, dtype="f4") for size, each in zip(sizes, pictures, strict=True))
        yield [keeper._own(each) for each in made]


def as_numbers(name: str, given: npt.ArrayLike) -> npt.NDArray[Any]:
    """An array of what is given. Raises ShapeError where its rows differ in length."""
    try:
        return np.asarray(given)
    except ValueError:
        raise ShapeError(f"The {name} array has rows of different lengths; make them equal.") from None


def picture_array(name: str, given: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Finite real numbers [rows, columns] as float32. ShapeError, OptionError or DataError: other numbers."""
    values = as_numbers(name, given)
    if values.dtype.kind not in "biuf":
        raise OptionError(f"The {name} array must hold real numbers, not {values.dtype}.")
    if values.ndim != 2 or values.size == 0:
        raise ShapeError(f"The {name} array has the shape {values.shape}; give rows and columns of one channel.")
    with np.errstate(over="ignore"):
        numbers = np.ascontiguousarray(values, np.float32)
    if not np.isfinite(numbers).all():
        raise DataError(f"The {name} array has a NaN or an infinity; replace it by a number.")
    return numbers
