"""A sea as files, a frame each: OpenEXR, a mesh, or .npz. Any number of machines may share it; what is there is kept.

Foam depends on the time before. So that a frame is the same whoever bakes it, frames are baked in blocks, counted from
frame 0; the foam of a block grows from clean water through six of its lifetimes: 0.25 % of the start is left.
"""

from __future__ import annotations

import io
import itertools
import math
import os
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glfft.errors import OptionError, OutputError, import_extra, real_number, whole_number
from glfft.files import PathName, atomic_write, make_folder, write_whole
from glfft.files.npz import save_npz
from glfft.sea import cascades
from glfft.sea.settings import OceanSettings
from glfft.sea.settings_file import settings_text

if TYPE_CHECKING:
    import moderngl

_FRAMES_A_BLOCK, _FRAMES_A_BLOCK_WITHOUT_FOAM = 48, 4
# The foam before a block grows in long steps first, then in the block's own; else the blocks' foam would differ.
_FOAM_LIFETIMES, _LIFETIMES_IN_STEPS, _FEWEST_A_SECOND = 3.0, 3.0, 8
_MOST_A_SECOND = 1e4  # foam takes a step a frame through its lifetime: more would seem to hang
_ADDRESS = re.compile(r"inproc://\S+|(\w+://)?[^\s/]+:(?P<port>\d{1,5})")
_SETTINGS_FILE = "sea.toml"  # what the files in a folder have been made of: other files must not come among them

Array = NDArray[np.floating[Any]]
Report = Callable[[int], object]  # is given each frame when its files exist


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
        tile, last = self.tile, min(self.tile.band[1], float(np.finfo(np.float32).max))
        sea = {"tile": tile.tile, "choppiness": tile.choppiness}
        moment = {"time": self.time, "framesPerSecond": self.frames_per_second}
        return sea | moment | {"seed": tile.seed, "wind": tile.wind, "bandFrom": tile.band[0], "bandTo": last}


def write_npz(path: PathName, baked: BakedTile) -> None:
    """Write `displacement` [N, N, 3], `slopes` [N, N, 2], `foam` [N, N] if any, float32, and the metadata."""
    arrays: dict[str, Any] = {"displacement": baked.displacement, "slopes": baked.slopes}
    if baked.foam is not None:
        arrays["foam"] = baked.foam.astype(np.float32)
    save_npz(path, arrays | dict[str, Any](baked.metadata))


def write_tile_exr(path: PathName, baked: BakedTile) -> None:
    """Write an OpenEXR picture, float32, whose top row is z = 0; MissingExtraError without OpenEXR.

    Channels: displacement.X, .Y (up) and .Z, m; slope.X and slope.Z; foam.V if any. The metadata are in the header,
    named glfft:tile and so on; seeds are text.
    """
    exr, displacement, slopes = load_exr(), baked.displacement, baked.slopes
    planes = {f"displacement.{axis}": displacement[..., index] for index, axis in enumerate("XYZ")}
    planes |= {f"slope.{axis}": slopes[..., index] for index, axis in enumerate("XZ")}
    if baked.foam is not None:
        # A name without a layer would come first in readers that take the first three channels for colours.
        planes["foam.V"] = baked.foam.astype(np.float32)
    said = {f"glfft:{name}": str(each) if name == "seed" else float(each) for name, each in baked.metadata.items()}
    save_exr(path, {"compression": exr.ZIP_COMPRESSION, "type": exr.scanlineimage, **said}, planes)


def write_obj(path: PathName, baked: BakedTile) -> None:
    """Write a mesh of (N + 1)² points, so that copies a tile apart fit; y is up, texture coordinates are 0 to 1."""
    size, side = baked.tile.size, baked.tile.tile
    moved = np.pad(baked.displacement, ((0, 1), (0, 1), (0, 0)), mode="wrap").reshape(-1, 3).astype(np.float64)
    u, v = (each.ravel() for each in np.meshgrid(*[np.arange(size + 1) / size] * 2))
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


def save_exr(path: PathName, header: Mapping[str, Any], planes: Mapping[str, Array]) -> None:
    """Write channels by name as OpenEXR, with its header. Raises OutputError where the file cannot be written."""
    channels = {name: np.ascontiguousarray(plane) for name, plane in planes.items()}
    with atomic_write(path) as temporary:
        try:
            with load_exr().File(dict(header), channels) as file:
                file.write(str(temporary))
        except Exception as error:  # OpenEXR's own, for a full disk too
            why = " ".join(str(error).split()).rpartition('". ')[2].rstrip(".")  # it names the temporary file first
            raise OutputError(f"Cannot write {os.fspath(path)}: {why[:1].lower()}{why[1:]}.") from error


# By the ending of their files.
WRITERS: Mapping[str, Callable[[Path, BakedTile], None]] = {"exr": write_tile_exr, "npz": write_npz, "obj": write_obj}


@dataclass(frozen=True)
class Bake:
    """What to bake; raises OptionError if a value makes no sense.

    Attributes:
        settings: the sea.
        folder: for `sea_00012.exr`, or with several tiles `sea_t0_00012.exr`, `sea_t1_00012.exr`, and for `sea.toml`.
        first, last: frames from the first to before the last.
        start: time of frame 0, s.
        formats: endings among "exr", "npz" and "obj".
        foam: whether there is foam.
        algorithm: of the transforms.
    """

    settings: OceanSettings
    folder: str
    first: int
    last: int
    frames_per_second: float = 24.0
    start: float = 0.0
    formats: tuple[str, ...] = ("exr",)
    foam: bool = True
    algorithm: str = "auto"

    def __post_init__(self) -> None:
        if None in (whole_number(self.first), whole_number(self.last)) or not 0 <= self.first < self.last:
            raise OptionError(f"The frames are {self.first}:{self.last}; give a first one from 0 and a later end.")
        if not (0 < real_number(self.frames_per_second) <= _MOST_A_SECOND and math.isfinite(real_number(self.start))):
            wanted = f"over 0 and at most {_MOST_A_SECOND:g}, and the start a finite time"
            raise OptionError(f"The frames a second must be {wanted}.")
        given = self.formats if isinstance(self.formats, tuple | list) else ()
        if not given or any(each not in tuple(WRITERS) for each in given):
            raise OptionError(f"The formats are {', '.join(map(str, given))} and must be among {', '.join(WRITERS)}.")

    def time_of(self, frame: float) -> float:
        """The time of a frame, s."""
        return self.start + frame / self.frames_per_second

    def files_of(self, frame: int) -> list[tuple[int, str, Path]]:
        """Tile, format and path of each file of a frame."""
        count = len(cascades.sides_of(self.settings))
        names = [f"sea_t{tile}_{frame:05d}" if count > 1 else f"sea_{frame:05d}" for tile in range(count)]
        pairs = itertools.product(enumerate(names), self.formats)
        return [(tile, ending, Path(self.folder) / f"{name}.{ending}") for (tile, name), ending in pairs]

    def missing(self, frame: int) -> list[tuple[int, str, Path]]:
        """`files_of` a frame that do not exist yet."""
        return [each for each in self.files_of(frame) if not each[2].exists()]

    def blocks(self, shard: tuple[int, int] = (1, 1)) -> list[range]:
        """Frames in blocks counted from frame 0; shard I of N (else OptionError) has every N-th block."""
        which, count = shard
        if not 1 <= which <= count:
            raise OptionError(f"The shard is {which}/{count} and must be I/N with I from 1 to N.")
        length = self.frames_a_block
        return [
            range(max(self.first, number * length), min(self.last, (number + 1) * length))
            for number in range(self.first // length, -(-self.last // length))
            if number % count == which - 1
        ]

    @property
    def frames_a_block(self) -> int:
        """How many frames are baked together: with foam half a lifetime, so that building it up costs little."""
        lived = self.frames_per_second * max(1.0, 6 * self.settings.foam_lifetime)
        together = max(_FRAMES_A_BLOCK, math.ceil(lived / 12)) if lived >= 1 else 1  # frames far apart share no foam
        return together if self.foam else _FRAMES_A_BLOCK_WITHOUT_FOAM


def prepare(bake: Bake) -> None:
    """Make the folder with its settings; OutputError if it has another sea, MissingExtraError without OpenEXR."""
    if "exr" in bake.formats:
        load_exr()
    folder = make_folder(bake.folder)
    sequence = f"# Frame 0 is at {bake.start!r} s, {bake.frames_per_second!r} frames a second"
    foam = "with" if bake.foam else "without"
    kept, text = folder / _SETTINGS_FILE, f"{sequence}, {foam} foam.\n{settings_text(bake.settings)}".encode()
    if not kept.exists():
        write_whole(kept, text)
    elif kept.read_bytes() != text:
        raise OutputError(f"{folder} holds files of another sea, or of other times; bake into another folder.")


def run(
    bake: Bake, shard: tuple[int, int] = (1, 1), progress: Report = lambda _: None, ctx: moderngl.Context | None = None
) -> int:
    """Write the missing files of shard I of N (from 1), each whole or not at all; returns how many.

    Equal settings on equal devices give equal files, whatever was there before and whoever bakes. `progress` is called
    with each frame when its files exist; the context is by default its own. Errors are of `Bake.blocks` and `prepare`.
    """
    blocks = bake.blocks(shard)
    prepare(bake)
    return sum(run_block(bake, block, progress, ctx) for block in blocks)


def run_block(bake: Bake, frames: range, progress: Report = lambda _: None, ctx: moderngl.Context | None = None) -> int:
    """Write the missing files of frames of one block into a prepared folder; returns how many."""
    wanting, written = [frame for frame in frames if bake.missing(frame)], 0
    for frame, tiles in _baked_tiles(bake, wanting, ctx) if wanting else ():
        for tile, ending, path in bake.missing(frame):
            WRITERS[ending](path, tiles[tile])
            written += 1
    for frame in frames:
        progress(frame)
    return written


def _baked_tiles(bake: Bake, frames: list[int], ctx: moderngl.Context | None) -> Iterator[tuple[int, list[BakedTile]]]:
    from glfft.gl.context import open_context
    from glfft.sea.simulation import OceanSimulation
    from glfft.sea.wave_textures import read_layers

    with ExitStack() as stack:
        if ctx is None:
            ctx = open_context()
            stack.callback(ctx.release)
        simulation = stack.enter_context(OceanSimulation(ctx, bake.settings, algorithm=bake.algorithm))
        # In all blocks foam lives in equal steps, several a frame where frames are far apart.
        parts = math.ceil(_FEWEST_A_SECOND / max(1e-9, bake.frames_per_second)) if bake.foam else 1
        first = (frames[0] - frames[0] % bake.frames_a_block) * parts
        if bake.foam:
            rate = bake.frames_per_second * parts
            lifetimes = _LIFETIMES_IN_STEPS + max(0.0, math.log(rate / 24))  # what is left shows more in short steps
            first -= math.ceil(lifetimes * bake.settings.foam_lifetime * rate)
            simulation.build_up_foam(bake.time_of(first / parts), _FOAM_LIFETIMES)
        for step in range(first, frames[-1] * parts + 1):
            (frame, between), time = divmod(step, parts), bake.time_of(step / parts)
            if bake.foam:
                simulation.update(time)
            if between or frame not in frames:
                continue
            fields, tiles = simulation.evaluate(time), []
            for index, tile in enumerate(simulation.tiles):
                own = {name: each.reshape(-1, tile.size, tile.size)[index] for name, each in fields.items()}
                # The first tile has the foam of all.
                foam = read_layers(simulation.foam)[0, ..., 0] if bake.foam and index == 0 else None
                tiles.append(BakedTile(tile, time, bake.frames_per_second, own, foam))
            yield frame, tiles


def run_on_dask(bake: Bake, address: str, progress: Report = lambda _: None) -> int:
    """Bake on a Dask cluster whose workers see the folder; another worker takes over the block of a lost one.

    The folder must be absolute, and the address is that of the scheduler, such as "tcp://10.0.0.1:8786". Returns the
    number of files that workers report; a lost worker reports nothing. Raises OptionError for a malformed address,
    MissingExtraError without Dask, OutputError if the scheduler cannot be reached or was lost, or a worker failed.
    """
    told = _ADDRESS.fullmatch(address)  # Dask's own refusal of one leaves a client behind that waits for half a minute
    if told is None or int(told["port"] or 1) not in range(1, 2**16):
        raise OptionError(f"{address!r} is no address of a Dask scheduler; write it as in tcp://10.0.0.1:8786.")
    distributed = import_extra("distributed", "dask", "Baking on a cluster needs Dask")
    prepare(bake)
    try:
        client = distributed.Client(address, timeout="15s", set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise OutputError(f"The scheduler at {address} cannot be reached: {' '.join(str(error).split())}.") from error
    try:
        with client:
            written = _gather(bake, client, progress)
    except (OSError, CancelledError) as error:
        said = f"The scheduler at {address} was lost ({' '.join(str(error).split()) or type(error).__name__})"
        raise OutputError(f"{said}; run again, files that are there stay.") from error
    left = [path for frame in range(bake.first, bake.last) for *_, path in bake.missing(frame)]
    if left:
        raise OutputError(f"The workers did not write {os.fspath(left[0])}; do they see the folder of this machine?")
    return written


def _gather(bake: Bake, client: Any, progress: Report) -> int:
    from distributed import as_completed  # pyright: ignore[reportMissingImports]

    if not client.nthreads():
        warnings.warn("The cluster has no workers yet; this waits for them.", stacklevel=3)
    blocks = [block for block in bake.blocks() if any(bake.missing(frame) for frame in block)]
    # Files are what counts, so a block is run for what it does: nothing may be taken from an earlier result.
    futures = {client.submit(run_block, bake, block, pure=False, retries=2): block for block in blocks}
    written = 0
    for future in as_completed(futures, loop=client.loop):  # or else a default client is looked for
        error = future.exception()
        if error is not None:
            raise OutputError(f"A worker failed: {' '.join(str(error).split())}") from error
        written += future.result()
        for frame in futures[future]:
            progress(frame)
    return written
