"""One tile of the sea at one moment as a file: OpenEXR, a mesh, or numpy's .npz; each whole or not at all."""

import io
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glfft.errors import OutputError, import_extra
from glfft.files import atomic_write, write_whole
from glfft.sea.settings import OceanSettings

Array = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class BakedTile:
    """A tile at a moment: fields as of `OceanSimulation.evaluate`, and foam as a share of the surface, [N, N]."""

    tile: OceanSettings
    time: float
    frames_per_second: float
    fields: Mapping[str, Array]
    foam: Array | None

    @property
    def displacement(self) -> NDArray[np.float32]:
        """How far the water has moved: x, up, z, m, times the choppiness where level, [N, N, 3]."""
        chop = self.tile.choppiness
        parts = (chop * self.fields["dx"], self.fields["height"], chop * self.fields["dz"])
        return np.stack(parts, axis=-1).astype(np.float32)

    @property
    def slopes(self) -> NDArray[np.float32]:
        """Derivatives of the height along x and z, [N, N, 2]."""
        return np.stack([self.fields["slope_x"], self.fields["slope_z"]], axis=-1).astype(np.float32)

    @property
    def metadata(self) -> dict[str, float | int]:
        """Side of the tile (m), choppiness, time (s), frames a second, seed, wind (m/s), band of waves (rad/m)."""
        return {
            "tile": self.tile.tile,
            "choppiness": self.tile.choppiness,
            "time": self.time,
            "framesPerSecond": self.frames_per_second,
            "seed": self.tile.seed,
            "wind": self.tile.wind,
            "bandFrom": self.tile.band[0],
            "bandTo": min(self.tile.band[1], float(np.finfo(np.float32).max)),
        }


def write_npz(path: str | os.PathLike[str], baked: BakedTile) -> None:
    """Write `displacement` [N, N, 3], `slopes` [N, N, 2], `foam` [N, N] if any, float32, and the metadata."""
    arrays: dict[str, Any] = {"displacement": baked.displacement, "slopes": baked.slopes}
    if baked.foam is not None:
        arrays["foam"] = baked.foam.astype(np.float32)
    arrays |= {name: np.asarray(value) for name, value in baked.metadata.items()}
    content = io.BytesIO()
    np.savez(content, **arrays)
    write_whole(path, content.getvalue())


def write_exr(path: str | os.PathLike[str], baked: BakedTile) -> None:
    """Write an OpenEXR picture, float32, whose top row is z = 0; MissingExtraError without OpenEXR.

    Channels: displacement.X, .Y (up) and .Z, m; slope.X and slope.Z; foam.V if any. The metadata are in the header,
    named glfft:tile and so on; seeds are text.
    """
    exr = load_exr()
    displacement, slopes = baked.displacement, baked.slopes
    planes = {f"displacement.{axis}": displacement[..., index] for index, axis in enumerate("XYZ")}
    planes |= {f"slope.{axis}": slopes[..., index] for index, axis in enumerate("XZ")}
    if baked.foam is not None:
        # A name without a layer would come first in readers that take the first three channels for colours.
        planes["foam.V"] = baked.foam.astype(np.float32)
    header: dict[str, Any] = {"compression": exr.ZIP_COMPRESSION, "type": exr.scanlineimage}
    header |= {
        f"glfft:{name}": str(value) if name == "seed" else float(value) for name, value in baked.metadata.items()
    }
    save_exr(path, header, planes)


def write_obj(path: str | os.PathLike[str], baked: BakedTile) -> None:
    """Write a mesh of (N + 1)² points, so that copies a tile apart fit; y is up, texture coordinates are 0 to 1."""
    size, side = baked.tile.size, baked.tile.tile
    moved = np.pad(baked.displacement, ((0, 1), (0, 1), (0, 0)), mode="wrap").reshape(-1, 3).astype(np.float64)
    line = np.arange(size + 1) / size
    u, v = (each.ravel() for each in np.meshgrid(line, line))
    points = moved + np.stack([side * u, np.zeros_like(u), side * v], axis=-1)
    at = np.arange(1, (size + 1) ** 2 + 1).reshape(size + 1, size + 1)
    # Counter-clockwise from above.
    faces = np.stack([at[:-1, :-1], at[1:, :-1], at[1:, 1:], at[:-1, 1:]], axis=-1).reshape(-1, 4)
    text = io.StringIO()
    text.write(f"# a tile of sea of {side:g} m at {baked.time:g} s; y is up\no sea\n")
    np.savetxt(text, points, "v %.5f %.5f %.5f")
    np.savetxt(text, np.stack([u, v], axis=-1), "vt %.6f %.6f")
    np.savetxt(text, np.repeat(faces, 2, axis=1), "f %d/%d %d/%d %d/%d %d/%d")
    write_whole(path, text.getvalue().encode())


def load_exr() -> Any:
    """OpenEXR's package; MissingExtraError without it."""
    return import_extra("OpenEXR", "exr", "EXR files need OpenEXR", ", or choose another kind of file")


def save_exr(path: str | os.PathLike[str], header: Mapping[str, Any], planes: Mapping[str, Array]) -> None:
    """Write channels by name as OpenEXR, with its header. Raises OutputError where the file cannot be written."""
    channels = {name: np.ascontiguousarray(plane) for name, plane in planes.items()}
    with atomic_write(path) as temporary:
        try:
            with load_exr().File(dict(header), channels) as file:
                file.write(str(temporary))
        except Exception as error:  # OpenEXR's own, for a full disk too
            # It names the temporary file first.
            why = " ".join(str(error).split()).rpartition('". ')[2].rstrip(".")
            raise OutputError(f"Cannot write {os.fspath(path)}: {why[:1].lower()}{why[1:]}.") from error


Writer = Callable[[Path, BakedTile], None]

# By the ending of their files.
WRITERS: Mapping[str, Writer] = {"exr": write_exr, "npz": write_npz, "obj": write_obj}
