"""`glfft ocean bake`: a sea as files, shared between any number of processes."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from glfft.algorithms.registry import check_algorithm
from glfft.commands import arguments as common
from glfft.commands.ocean import add_sea, settings_of
from glfft.errors import UsageError, shown
from glfft.files import make_folder

if TYPE_CHECKING:
    from glfft.sea.bake import Bake

_FOLDER = "out/bake"
_FORMATS = ("exr", "npz", "obj")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `glfft ocean bake`."""
    add_sea(parser)
    work = parser.add_argument_group("the files")
    work.add_argument(
        "--frames", type=_pair(":"), required=True, metavar="A:B", help="frames from A to before B, counted from 0"
    )
    work.add_argument("--fps", type=common.number, default=24.0, metavar="F", help="frames a second")
    work.add_argument("--time", type=common.number, default=0.0, metavar="T", help="time of frame 0, s")
    work.add_argument(
        "--formats",
        type=_formats,
        default=("exr",),
        metavar="NAMES",
        help="exr, npz and obj, with commas (default: exr, which needs OpenEXR)",
    )
    work.add_argument(
        "-o", "--output", type=common.file_name, default=_FOLDER, metavar="DIR", help="the folder; what it has is kept"
    )
    work.add_argument(
        "--shard",
        type=_pair("/"),
        default=(1, 1),
        metavar="I/N",
        help="write only the I-th of N parts, as one of N processes on machines that share the folder (default: 1/1)",
    )
    work.add_argument(
        "--dask", metavar="ADDRESS", help="let the workers of a Dask cluster do it, which see the folder too"
    )
    work.add_argument("--no-foam", action="store_true", help="leave the foam out, which takes most of the time")
    work.add_argument("--cpu", action="store_true", help="compute in numpy, without foam; needs no OpenGL")


def run(arguments: argparse.Namespace) -> int:
    """Bake. See `glfft.commands.cli` for the exit code."""
    from tqdm import tqdm

    from glfft.sea import bake

    check_algorithm(arguments.algorithm)
    if arguments.dask is not None and arguments.shard != (1, 1):
        raise UsageError("--dask spreads the work itself, and --shard does too; give one of them.")
    job = bake.Bake(
        settings_of(arguments),
        str(Path(arguments.output).absolute()),
        *arguments.frames,
        frames_per_second=arguments.fps,
        start=arguments.time,
        formats=arguments.formats,
        foam=not (arguments.no_foam or arguments.cpu),
        cpu=arguments.cpu,
        algorithm=arguments.algorithm,
    )
    frames = sum(map(len, job.blocks(arguments.shard)))
    if arguments.output == _FOLDER:
        make_folder(Path(_FOLDER).parent)
    with ExitStack() as stack:
        bar = stack.enter_context(tqdm(total=frames, unit="frame", delay=1e-3, disable=None))
        written = _bake(job, arguments, lambda frame: bar.update())
    there = len(job.files_of(0)) * frames - written
    print(f"{written} files written, {there} were there: {arguments.output}")
    return 0


def _bake(job: Bake, arguments: argparse.Namespace, progress: Callable[[int], object]) -> int:
    from glfft.sea import bake

    if arguments.dask is not None:
        return bake.run_on_dask(job, arguments.dask, progress)
    return bake.run(job, arguments.shard, progress)


def _pair(between: str) -> Callable[[str], tuple[int, int]]:
    def parse(text: str) -> tuple[int, int]:
        found = re.fullmatch(rf"(\d{{1,9}}){between}(\d{{1,9}})", text)
        if found is None:
            raise argparse.ArgumentTypeError(f"{shown(text)} must be two whole numbers with {between!r} between them")
        return int(found[1]), int(found[2])

    return parse


def _formats(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(text.split(",")))
    for name in names:
        if name not in _FORMATS:
            raise argparse.ArgumentTypeError(f"{shown(name)} is none of {', '.join(_FORMATS)}")
    return names
