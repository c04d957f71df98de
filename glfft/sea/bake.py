"""A sea as files, a frame each: any number of processes and machines may share the work, and what is there is kept.

Foam depends on the time before. So that a frame is the same whoever bakes it, frames are baked in blocks, counted from
frame 0; the foam of a block grows from clean water through six of its lifetimes, after which 0.25 % of the start is
left.
"""

from __future__ import annotations

import math
import os
import re
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glfft.errors import OptionError, OutputError, import_extra
from glfft.files import make_folder, write_whole
from glfft.sea import cascades
from glfft.sea.baked_files import WRITERS, BakedTile, load_exr
from glfft.sea.settings import OceanSettings
from glfft.sea.settings_file import settings_text

if TYPE_CHECKING:
    import moderngl

_FRAMES_A_BLOCK = 24
_FRAMES_A_BLOCK_WITHOUT_FOAM = 4
_FOAM_LIFETIMES = 6.0

_ADDRESS = re.compile(r"inproc://\S+|(\w+://)?[^\s/]+:(?P<port>\d{1,5})")

# What the files in a folder have been made of: other files must not come among them.
_SETTINGS_FILE = "sea.toml"


@dataclass(frozen=True)
class Bake:
    """What to bake; raises OptionError if a value makes no sense.

    Attributes:
        settings: the sea.
        folder: for `sea_00012.exr`, or with several tiles `sea_t0_00012.exr`, `sea_t1_00012.exr`, and for `sea.toml`.
        first, last: frames from the first to before the last.
        start: time of frame 0, s.
        formats: endings among "exr", "npz" and "obj".
        foam: whether there is foam; it needs a GPU's simulation.
        cpu: compute in numpy, without foam.
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
    cpu: bool = False
    algorithm: str = "auto"

    def __post_init__(self) -> None:
        if not 0 <= self.first < self.last:
            raise OptionError(
                f"The frames are {self.first}:{self.last} and must be a first one from 0 and a later end."
            )
        if not (0 < self.frames_per_second < math.inf and math.isfinite(self.start)):
            raise OptionError("The frames a second must be over 0, and the start a finite time.")
        if not self.formats or any(each not in WRITERS for each in self.formats):
            raise OptionError(f"The formats are {', '.join(self.formats)} and must be among {', '.join(WRITERS)}.")
        if self.foam and self.cpu:
            raise OptionError("Foam is computed on the GPU only; bake without it, or not in numpy.")

    def time_of(self, frame: int) -> float:
        """The time of a frame, s."""
        return self.start + frame / self.frames_per_second

    def files_of(self, frame: int) -> list[tuple[int, str, Path]]:
        """Tile, format and path of each file of a frame."""
        count = len(cascades.sides_of(self.settings))
        names = [f"sea_t{tile}_{frame:05d}" if count > 1 else f"sea_{frame:05d}" for tile in range(count)]
        return [
            (tile, ending, Path(self.folder) / f"{name}.{ending}")
            for tile, name in enumerate(names)
            for ending in self.formats
        ]

    def missing(self, frame: int) -> list[tuple[int, str, Path]]:
        """`files_of` a frame that do not exist yet."""
        return [each for each in self.files_of(frame) if not each[2].exists()]

    def blocks(self, shard: tuple[int, int] = (1, 1)) -> list[range]:
        """Frames in blocks counted from frame 0; shard I of N (else OptionError) has every N-th block."""
        which, count = shard
        if not 1 <= which <= count:
            raise OptionError(f"The shard is {which}/{count} and must be I/N with I from 1 to N.")
        length = self._length
        return [
            range(max(self.first, number * length), min(self.last, (number + 1) * length))
            for number in range(self.first // length, -(-self.last // length))
            if number % count == which - 1
        ]

    @property
    def _length(self) -> int:
        return _FRAMES_A_BLOCK if self.foam else _FRAMES_A_BLOCK_WITHOUT_FOAM

    def block_start(self, frame: int) -> int:
        """The first frame of the block of a frame."""
        return frame - frame % self._length


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
    bake: Bake,
    shard: tuple[int, int] = (1, 1),
    progress: Callable[[int], object] = lambda frame: None,
    ctx: moderngl.Context | None = None,
) -> int:
    """Write the missing files of a shard, each whole or not at all; returns how many.

    Equal settings on equal devices give equal files, whatever was there before and whoever bakes. Errors are those of
    `Bake`, its `blocks` and `prepare`.

    Args:
        shard: I and N: this is run I of N, counted from 1.
        progress: called with each frame when its files exist.
        ctx: a context; by default one of its own.
    """
    blocks = bake.blocks(shard)
    prepare(bake)
    return sum(run_block(bake, block, progress, ctx) for block in blocks)


def run_block(
    bake: Bake,
    frames: range,
    progress: Callable[[int], object] = lambda frame: None,
    ctx: moderngl.Context | None = None,
) -> int:
    """Write the missing files of frames of one block into a prepared folder; returns how many."""
    wanting = [frame for frame in frames if bake.missing(frame)]
    written = 0
    if wanting:
        source = _numpy_tiles(bake, wanting) if bake.cpu else _gpu_tiles(bake, wanting, ctx)
        for frame, tiles in source:
            for tile, ending, path in bake.missing(frame):
                WRITERS[ending](path, tiles[tile])
                written += 1
    for frame in frames:
        progress(frame)
    return written


def _numpy_tiles(bake: Bake, frames: list[int]) -> Iterator[tuple[int, list[BakedTile]]]:
    from glfft.sea.fields import reference_fields

    tiles = cascades.tiles_of(bake.settings)
    for frame in frames:
        time, rate = bake.time_of(frame), bake.frames_per_second
        yield frame, [BakedTile(tile, time, rate, reference_fields(tile, time), None) for tile in tiles]


def _gpu_tiles(bake: Bake, frames: list[int], ctx: moderngl.Context | None) -> Iterator[tuple[int, list[BakedTile]]]:
    from glfft.gl.context import open_context
    from glfft.sea.simulation import OceanSimulation
    from glfft.sea.wave_textures import read_layers

    with ExitStack() as stack:
        if ctx is None:
            ctx = open_context()
            stack.callback(ctx.release)
        simulation = stack.enter_context(OceanSimulation(ctx, bake.settings, algorithm=bake.algorithm))
        first = bake.block_start(frames[0])
        if bake.foam:
            simulation.build_up_foam(bake.time_of(first), _FOAM_LIFETIMES)
        for frame in range(first if bake.foam else frames[0], frames[-1] + 1):
            time, rate = bake.time_of(frame), bake.frames_per_second
            if bake.foam:
                simulation.update(time)
            if frame not in frames:
                continue
            fields = simulation.evaluate(time)
            tiles = []
            for index, tile in enumerate(simulation.tiles):
                own = {name: each.reshape(-1, tile.size, tile.size)[index] for name, each in fields.items()}
                # The first tile has the foam of all.
                foam = read_layers(simulation.foam)[0, ..., 0] if bake.foam and index == 0 else None
                tiles.append(BakedTile(tile, time, rate, own, foam))
            yield frame, tiles


def run_on_dask(bake: Bake, address: str, progress: Callable[[int], object] = lambda frame: None) -> int:
    """Bake on a Dask cluster whose workers see the folder; another worker takes over the block of a lost one.

    The folder must be absolute, and the address is that of the scheduler, such as "tcp://10.0.0.1:8786". Returns the
    number of files that workers report; a lost worker reports nothing.

    Raises:
        OptionError: the address is malformed.
        MissingExtraError: Dask is not installed.
        OutputError: the scheduler cannot be reached or was lost, or a worker failed.
    """
    # Dask's own refusal of one leaves a client behind that waits for half a minute.
    told = _ADDRESS.fullmatch(address)
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
        why = " ".join(str(error).split()) or type(error).__name__
        raise OutputError(
            f"The scheduler at {address} was lost ({why}); run the same again, and what is written stays."
        ) from error
    left = [path for frame in range(bake.first, bake.last) for *_, path in bake.missing(frame)]
    if left:
        raise OutputError(f"The workers did not write {os.fspath(left[0])}; do they see the folder of this machine?")
    return written


def _gather(bake: Bake, client: Any, progress: Callable[[int], object]) -> int:
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
