"""`glfft ocean bake`: a sea as files, written by any number of processes."""

import argparse
import re
from collections.abc import Callable
from pathlib import Path

from glfft.algorithms.registry import check_algorithm
from glfft.commands import arguments as common
from glfft.commands.ocean_sea import add_sea, settings_of
from glfft.errors import UsageError, shown
from glfft.files import make_folder

_FOLDER = "out/bake"
_FORMATS = ("exr", "npz", "obj")


def add_arguments(parser: common.Parser) -> None:
    add_sea(parser)
    add = common.adder(parser, "files")
    add("--frames A:B", _pair(":"), "frames from A to before B, counted from 0", required=True)
    add("--fps F", common.number, "frames per second", default=24.0)
    add("--time T", common.number, "time of frame 0, s", default=0.0)
    formats = "exr (needs OpenEXR), npz and obj, separated by commas (default: exr)"
    add("--formats NAMES", _formats, formats, default=("exr",))
    add("-o --output DIR", common.file_name, "folder to write into; files already there are kept", default=_FOLDER)
    shard = "write part I of N, one process each, on machines that share the folder (default: 1/1)"
    add("--shard I/N", _pair("/"), shard, default=(1, 1))
    add("--dask ADDRESS", str, "bake on the workers of a Dask cluster, which must see the folder too")
    add("--no-foam", None, "leave out foam, which takes most of the time")
    add("--cpu", None, "compute in numpy, without foam and without OpenGL")
    first = ("--preset", "--settings", "--wind", "--size", "--frames", "--fps", "--formats", "--output", "--no-foam")
    parser.show_first(*first, "--cpu")


def run(arguments: argparse.Namespace) -> int:
    """Bake. See `glfft.commands.cli` for the exit code."""
    from tqdm import tqdm

    from glfft.sea import bake

    check_algorithm(arguments.algorithm)
    if arguments.dask is not None and arguments.shard != (1, 1):
        raise UsageError("--dask and --shard both divide the work; give one of them.")
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
    with tqdm(total=frames, unit="frame", delay=1e-3, disable=None) as bar:

        def progress(_frame: int) -> None:
            bar.update()

        if arguments.dask is not None:
            written = bake.run_on_dask(job, arguments.dask, progress)
        else:
            written = bake.run(job, arguments.shard, progress)
    there = len(job.files_of(0)) * frames - written
    print(f"{written} {'file' if written == 1 else 'files'} written, {there} were there: {arguments.output}")
    return 0


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
