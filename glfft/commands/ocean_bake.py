"""`glfft ocean bake`: a sea as files, written by any number of processes; and the options that describe a sea."""

import argparse
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from glfft.algorithms.registry import check_algorithm
from glfft.commands import arguments as common
from glfft.errors import OptionError, UsageError
from glfft.files import make_folder
from glfft.sea.settings import MOST_CASCADES, SPECTRA, SPREADINGS, OceanSettings, Swell, range_of

_DEFAULTS = OceanSettings()
_FOLDER = "out/bake"


def add_sea(parser: argparse.ArgumentParser) -> None:
    add = common.adder(parser, "sea")
    presets = "beaufort-0 to beaufort-12, swell-at-sunset, storm or lagoon"
    add("--preset NAME", str, f"named sea, which other options change: {presets}")
    add("--settings FILE.toml", common.file_name, "sea from a file of --save-settings, which other options change")
    add("--wind MS", common.number, f"wind speed 10 m above the water, m/s (default: {_DEFAULTS.wind:g})")
    direction = f"direction the wind blows to, from +x towards +z (default: {_DEFAULTS.wind_direction:g})"
    add("--wind-direction DEG", _in_unit("wind_direction", "degrees", math.radians(1)), direction)
    fetch = f"distance that the wind has blown over open water (default: {_DEFAULTS.fetch / 1e3:g})"
    add("--fetch KM", _in_unit("fetch", "km", 1e3), fetch)
    add("--spectrum", SPECTRA, f"spectrum of the wind's waves (default: {_DEFAULTS.spectrum})")
    add("--spreading", SPREADINGS, f"directional spreading of the wind's waves (default: {_DEFAULTS.spreading})")
    add("--depth METRES", common.number, "water depth; a finite depth turns jonswap into TMA (default: deep water)")
    swell = "swell from far away: significant height (m), peak period (s), direction it runs to (as --wind-direction)"
    more = "and, optionally, spread in degrees; repeat for another swell"
    add("--swell HS,TP,DEG", _swell, f"{swell} {more}", action="append", dest="swells")
    ndbc = "an NDBC spectral file (its direction files are found beside it)"
    table = "a table of frequency (Hz), density (m²/Hz), direction and spread (degrees)"
    kinds = f"{ndbc}, {table}, or a wavespectra dataset (.nc, .zarr)"
    tiles = "tiles are chosen for the longest waves unless --tile or --cascades is given"
    add("--buoy FILE", common.file_name, f"waves measured by a buoy, in place of the wind's: {kinds}; {tiles}")
    add("--size N", common.integer, f"samples a side, even, from 16, with cascades 48 (default: {_DEFAULTS.size})")
    tile = f"side of the repeating tile (default: {_DEFAULTS.tile:g}); several, longest first, separated by commas"
    add("--tile METRES", _numbers, tile)
    cascades = f"number of tiles, 1 to {MOST_CASCADES}, that share long and short waves (default: 1)"
    add("--cascades N", common.integer, cascades)
    add("--seed S", common.integer, f"seed of the random waves (default: {_DEFAULTS.seed})")
    loop = (
        "the sea repeats every SECONDS; the camera stands still without a path; a film without --frames shows one loop"
    )
    add("--loop SECONDS", common.number, f"{loop} (default: never)")
    add("--algorithm NAME", str, "algorithm of the transforms; 'glfft info' lists them", default="auto")


def settings_of(arguments: argparse.Namespace) -> OceanSettings:
    """The sea of a preset or a file, or the default one, with the changes that the options make."""
    if arguments.preset is not None and arguments.settings:
        raise UsageError("--preset and --settings both name a sea; give one of them.")
    base, changes = _DEFAULTS, common.given(arguments, OceanSettings)
    if arguments.preset is not None:
        from glfft.sea.presets import preset

        base = preset(arguments.preset)
        towards = changes.get("wind_direction", base.wind_direction)
        base = preset(arguments.preset, replace(base, wind_direction=towards))  # its swells turn with the wind
    elif arguments.settings:
        from glfft.sea.settings_file import read_settings

        base = read_settings(arguments.settings)
    if tiles := arguments.tile:
        if len(tiles) > 1 and arguments.cascades not in (None, len(tiles)):
            said = f"--tile gives {len(tiles)} tiles and --cascades asks for {arguments.cascades}"
            raise UsageError(f"{said}; give one of them.")
        changes |= {"tile": tiles[0], "cascades": tuple(tiles[1:]) or changes.get("cascades", 1)}
    settings = replace(base, **changes)
    if not arguments.buoy:
        return settings
    from glfft.sea.buoy_files import read_spectrum
    from glfft.sea.cascades import suited_to

    settings = replace(settings, measured=read_spectrum(arguments.buoy))
    return suited_to(settings) if arguments.tile is None and arguments.cascades is None else settings


def _in_unit(setting: str, unit: str, si: float) -> Any:
    """A type for argparse: a setting in a unit that users prefer, converted to SI; messages name that unit."""
    lowest, highest = range_of(setting)
    return common.between(lowest / si, highest / si, unit, si)


def _numbers(text: str) -> list[float]:
    return [common.number(each) for each in text.split(",")]


def _swell(text: str) -> Swell:
    numbers = _numbers(text)
    said = "height, period, direction and optionally spread, separated by commas, as in 2,12,30"
    common.check(len(numbers) in (3, 4), text, f"must be {said}")
    height, period, *angles = numbers
    try:
        return Swell(height, period, *(math.radians(angle) for angle in angles))
    except OptionError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_arguments(parser: common.Parser) -> None:
    add_sea(parser)
    add = common.adder(parser, "files")
    add("--frames A:B", _pair(":"), "frames from A to before B, counted from 0", required=True)
    add("--fps F", common.number, "frames per second", default=24.0)
    add("--time T", common.number, "time of frame 0, s", default=0.0)
    formats = "exr (needs OpenEXR), npz and obj, separated by commas (default: exr)"
    add("--formats NAMES", common.names, formats, default=["exr"])
    add("-o --output DIR", common.file_name, "folder to write into; files already there are kept", default=_FOLDER)
    shard = "write part I of N, one process each, on machines that share the folder (default: 1/1)"
    add("--shard I/N", _pair("/"), shard, default=(1, 1))
    add("--dask ADDRESS", str, "bake on the workers of a Dask cluster, which must see the folder too")
    add("--no-foam", None, "leave out foam, which takes most of the time")
    first = ("--preset", "--settings", "--wind", "--size", "--frames", "--fps", "--formats", "--output", "--no-foam")
    parser.show_first(*first)


def run(arguments: argparse.Namespace) -> None:
    from tqdm import tqdm

    from glfft.sea import bake

    check_algorithm(arguments.algorithm)
    if arguments.dask is not None and arguments.shard != (1, 1):
        raise UsageError("--dask and --shard both divide the work; give one of them.")
    options = {"frames_per_second": arguments.fps, "start": arguments.time, "algorithm": arguments.algorithm}
    options |= {"formats": tuple(dict.fromkeys(arguments.formats)), "foam": not arguments.no_foam}
    job = bake.Bake(settings_of(arguments), str(Path(arguments.output).absolute()), *arguments.frames, **options)
    frames = sum(map(len, job.blocks(arguments.shard)))
    if arguments.output == _FOLDER:
        make_folder(Path(_FOLDER).parent)
    with tqdm(total=frames, unit="frame", delay=1e-3, disable=None) as bar:
        run, part = (bake.run, arguments.shard) if arguments.dask is None else (bake.run_on_dask, arguments.dask)
        written = run(job, part, lambda _: bar.update())
    there = len(job.files_of(0)) * frames - written
    print(f"{written} {'file' if written == 1 else 'files'} written, {there} were there: {arguments.output}")


@common.option_type
def _pair(text: str, between: str) -> tuple[int, int]:
    first, _, last = text.partition(between)
    holds = all(re.fullmatch(r"\d{1,9}", part) for part in (first, last))
    common.check(holds, text, f"must be two whole numbers with {between!r} between them, as in 1{between}10")
    return int(first), int(last)
