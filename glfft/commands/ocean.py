"""`glfft ocean`: options to a shot, and the shot to a window or to files."""

from __future__ import annotations

import argparse
import itertools
import math
import signal
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glfft.algorithms.registry import check_algorithm
from glfft.commands import arguments as common
from glfft.errors import MissingExtraError, OptionError, UsageError, shown
from glfft.files import check_writable, make_folder
from glfft.sea.settings import MOST_CASCADES, SPECTRA, SPREADINGS, OceanSettings, Swell, range_of

if TYPE_CHECKING:
    import moderngl

    from glfft.apps.ocean.camera import Camera
    from glfft.apps.ocean.camera_path import CameraPath
    from glfft.apps.ocean.export import PictureWriter
    from glfft.apps.ocean.shot import Shot
    from glfft.apps.ocean.sky import Weather

_DEFAULTS = OceanSettings()
# Measured on two cores without a GPU: these take about a minute.
_RESOLUTION = (1280, 720)

# That of `glfft.apps.ocean.quality`.
_LEAST_SCALE = 0.25
_HEADLESS_FRAMES = 120
_FRAMES_PER_SECOND = 24.0
_LARGEST_SIDE = 16384
_MOST_BUOYS = 300
# Some hundred bytes a frame.
_MOST_FRAMES_PROFILED = 100_000
# What no use can be made of where nothing is drawn.
_PICTURE_OPTIONS = ("--profile", "--frames", "--fps", "--resolution", "--overwrite", "--no-overlay")
_PICTURE_OPTIONS += ("--buoys", "--camera", "--camera-path", "--sun", "--time-of-day", "--clouds")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `glfft ocean`."""
    add_sea(parser)
    _add_pictures(parser)


def add_sea(parser: argparse.ArgumentParser) -> None:
    """Add the options that describe a sea; `settings_of` reads them."""
    sea = parser.add_argument_group("the sea")
    sea.add_argument(
        "--preset",
        metavar="NAME",
        help="a sea by name: beaufort-0 to beaufort-12, swell-at-sunset, storm or lagoon; other options change it",
    )
    sea.add_argument(
        "--settings",
        type=common.file_name,
        metavar="FILE.toml",
        help="the sea of a file that --save-settings has written; other options change it",
    )
    sea.add_argument(
        "--size",
        type=common.integer,
        metavar="N",
        help=f"samples along the tile's side, an even number from 16 (default: {_DEFAULTS.size})",
    )
    sea.add_argument(
        "--tile",
        type=_numbers,
        metavar="METRES",
        help=f"side of the tile, which repeats (default: {_DEFAULTS.tile:g}); several with commas, the longest first, "
        "are the tiles of --cascades",
    )
    sea.add_argument(
        "--cascades",
        type=common.integer,
        metavar="N",
        help=f"put long and short waves on N tiles, 1 to {MOST_CASCADES}, chosen from --tile and --size (default: 1)",
    )
    sea.add_argument(
        "--wind",
        type=common.number,
        metavar="MS",
        help=f"wind speed 10 m above the water, m/s (default: {_DEFAULTS.wind:g})",
    )
    sea.add_argument(
        "--wind-direction",
        type=_in_unit("wind_direction", "degrees", math.radians(1)),
        metavar="DEG",
        help=f"where the wind blows to, from +x towards +z (default: {math.degrees(_DEFAULTS.wind_direction):g})",
    )
    sea.add_argument(
        "--fetch",
        type=_in_unit("fetch", "km", 1e3),
        metavar="KM",
        help=f"distance over which the wind has blown across open water (default: {_DEFAULTS.fetch / 1e3:g})",
    )
    sea.add_argument(
        "--spectrum", choices=SPECTRA, help=f"spectrum of the wind's waves (default: {_DEFAULTS.spectrum})"
    )
    sea.add_argument(
        "--spreading",
        choices=SPREADINGS,
        help=f"how the directions of the waves spread about the wind's (default: {_DEFAULTS.spreading})",
    )
    sea.add_argument(
        "--depth",
        type=common.number,
        metavar="METRES",
        help="depth of the water; of a finite one, jonswap is the TMA spectrum (default: deep)",
    )
    sea.add_argument(
        "--swell",
        type=_swell,
        action="append",
        default=[],
        metavar="HS,TP,DEG",
        help="waves from far away: significant height in metres, period of the peak in seconds, the direction they run "
        "to (as --wind-direction) and, if you like, their spread in degrees; repeat the option for another swell",
    )
    sea.add_argument(
        "--seed", type=common.integer, metavar="S", help=f"seed of the random waves (default: {_DEFAULTS.seed})"
    )
    sea.add_argument(
        "--algorithm", default="auto", metavar="NAME", help="algorithm of the transforms; 'glfft info' lists them"
    )
    sea.add_argument(
        "--loop",
        type=common.number,
        metavar="SECONDS",
        help="the sea comes again as it was after so long, and the camera stands still; a film shows one loop unless "
        "--frames is given (default: never)",
    )
    sea.add_argument(
        "--buoy",
        type=common.file_name,
        metavar="FILE",
        help="the waves that a buoy has measured, in place of the wind's: a spectral file of NDBC, with the files of "
        "its directions beside it, a table of frequency (Hz), density (m²/Hz), direction and spread (degrees), or a "
        "dataset of wavespectra, .nc or .zarr; on "
        "tiles that suit its longest waves, unless --tile or --cascades are given",
    )


def _add_pictures(parser: argparse.ArgumentParser) -> None:
    show = parser.add_argument_group("the pictures")
    show.add_argument(
        "--resolution",
        type=common.resolution(2, _LARGEST_SIDE),
        metavar="WxH",
        help="pixels (default: {}x{})".format(*_RESOLUTION),
    )
    show.add_argument("--time", type=_finite, default=0.0, metavar="T", help="time of the first picture, s")
    show.add_argument(
        "--frames",
        type=common.whole_number(least=1),
        metavar="N",
        help=f"number of pictures (default: 1 for a .png, else {_HEADLESS_FRAMES}; in a window, until it closes)",
    )
    show.add_argument(
        "--fps",
        type=_frame_rate,
        metavar="F",
        help=f"pictures per second of a film, and of the sea's time (default: {_FRAMES_PER_SECOND:g})",
    )
    show.add_argument(
        "--camera",
        type=_camera,
        metavar="HEIGHT,HEADING,PITCH",
        help="where the first picture is taken from: metres above the still sea, negative under it, and where the "
        "camera looks, in degrees from +x towards +z and above the horizon; if you like, also its vertical angle of "
        "view (default: low over the waves, against them)",
    )
    show.add_argument(
        "--camera-path",
        type=common.file_name,
        metavar="FILE.toml",
        help="fly the camera through places at times, in a window until you move it: a table [[camera]] for each, with "
        "time (s), position ([x, y, z], m) and, if you like, heading, pitch and lens (degrees)",
    )
    show.add_argument(
        "--buoys",
        type=_buoys,
        default=0,
        metavar="N",
        help=f"marks of a channel ahead of the first camera, which ride on the waves, up to {_MOST_BUOYS} (default: 0)",
    )
    show.add_argument(
        "--supersample",
        type=common.integer,
        choices=(1, 2, 4),
        default=1,
        metavar="N",
        help="draw 1, 2 or 4 pixels along each side of a pixel, and average them (default: 1; screenshots of windows "
        "have 2 or, if asked for, 4)",
    )
    light = show.add_mutually_exclusive_group()
    light.add_argument(
        "--sun",
        type=_sun,
        metavar="ELEVATION,HEADING",
        help="where the sun stands, degrees; without HEADING ahead of the camera (default: 12 degrees high)",
    )
    light.add_argument(
        "--time-of-day",
        type=_time_of_day,
        metavar="HOURS",
        help="solar time, on a day with the sunrise at 6, in the east (+x)",
    )
    show.add_argument(
        "--clouds",
        type=_share,
        metavar="SHARE",
        help="of the sky that low clouds cover, 0 to 1; they throw shadows and hide the sun (default: 0.2; more in "
        "presets with a gale)",
    )
    show.add_argument(
        "--quality",
        choices=("minimal", "low", "medium", "high", "auto"),
        default="auto",
        help="of mesh, filters and edges; auto is high on a graphics card, and without one minimal in windows, "
        "medium for files",
    )
    show.add_argument(
        "--render-scale",
        type=_render_scale,
        metavar="SHARE",
        help="of the picture's width and height that is drawn, 0.25 to 1; the rest is enlarging (default: 1; 0.5 at "
        "the qualities low and minimal, but windows of minimal draw about 37,000 pixels)",
    )
    show.add_argument("--headless", action="store_true", help="open no window")
    show.add_argument(
        "-o",
        "--output",
        type=common.file_name,
        metavar="FILE.png|FILE.mp4|DIR",
        help="write pictures or a film there, and open no window (default when headless: out/ocean.mp4 and "
        "out/ocean.png, or the first of out/ocean-2.mp4 and so on that does not exist yet)",
    )
    show.add_argument(
        "--overwrite",
        action="store_true",
        help="replace the numbered pictures in DIR, once all new ones are written (default: if DIR has any, stop)",
    )
    show.add_argument(
        "--no-overlay", action="store_true", help="open the window without the frame-time overlay (pictures have none)"
    )
    show.add_argument(
        "--profile",
        type=common.file_name,
        metavar="FILE.json",
        help="write the time of each section of a frame, as .json or .csv, and print it (the last "
        f"{_MOST_FRAMES_PROFILED:,} frames at most)",
    )
    show.add_argument(
        "--export-fields",
        type=common.file_name,
        metavar="FILE.npz",
        help="write the sea's fields at --time; without --output or --headless nothing is drawn",
    )
    show.add_argument(
        "--save-settings",
        type=common.file_name,
        metavar="FILE.toml",
        help="write the settings of the sea; without --output or --headless nothing is drawn",
    )
    show.add_argument(
        "--validate",
        action="store_true",
        help="draw nothing, but compare the sea at --time with its theory, and print each number with its band; exit "
        "code 1 if one is outside",
    )
    show.add_argument(
        "--cpu", action="store_true", help="compute --export-fields in numpy; needs no OpenGL, and draws nothing"
    )


def _in_unit(setting: str, unit: str, si: float) -> Callable[[str], float]:
    """A type for argparse: a number in a unit that people say, so that a refusal speaks of it too.

    Args:
        setting: which of the sea's settings it becomes.
        unit: its name.
        si: how much of the setting's SI unit it is.
    """
    lowest, highest = (bound / si for bound in range_of(setting))

    def parse(text: str) -> float:
        value = common.number(text)
        if not lowest <= value <= highest:  # written so that NaN fails too
            raise argparse.ArgumentTypeError(f"{shown(text)} must be a number from {lowest:g} to {highest:g} {unit}")
        return value

    return parse


def _numbers(text: str) -> list[float]:
    return [common.number(each) for each in text.split(",")]


def _cascades(arguments: argparse.Namespace) -> int | tuple[float, ...]:
    further = tuple((arguments.tile or [])[1:])
    if further and arguments.cascades not in (None, 1 + len(further)):
        raise UsageError(
            f"--tile gives {1 + len(further)} tiles and --cascades {arguments.cascades} asks for another number; "
            "give the tiles or their number."
        )
    return further or arguments.cascades or 1


def _as_measured(settings: OceanSettings, arguments: argparse.Namespace) -> OceanSettings:
    """The settings with the waves of a buoy."""
    from glfft.sea.buoy_files import read_spectrum
    from glfft.sea.cascades import suited_to

    settings = replace(settings, measured=read_spectrum(arguments.buoy))
    return suited_to(settings) if arguments.tile is None and arguments.cascades is None else settings


def _swell(text: str) -> Swell:
    numbers = _numbers(text)
    if len(numbers) not in (3, 4):
        raise argparse.ArgumentTypeError(
            f"{shown(text)} must be height, period, direction and perhaps spread, with commas, as in 2,12,30"
        )
    height, period, *angles = numbers
    try:
        return Swell(height, period, *(math.radians(angle) for angle in angles))
    except OptionError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _camera(text: str) -> Camera:
    from glfft.apps.ocean.camera import HIGHEST, LOWEST, STEEPEST, Camera

    numbers = _numbers(text)
    if len(numbers) not in (3, 4):
        raise argparse.ArgumentTypeError(
            f"{shown(text)} must be height, heading, pitch and perhaps the angle of view, with commas, as in 20,150,-5"
        )
    height, heading, pitch, lens = (*numbers, 38.0)[:4]
    _check_ranges(
        ("the camera's height", height, LOWEST, HIGHEST, "m"),
        ("its heading", heading, -360.0, 360.0, "degrees"),
        ("its pitch", pitch, -math.degrees(STEEPEST), math.degrees(STEEPEST), "degrees"),
        ("its angle of view", lens, 2.0, 120.0, "degrees"),
    )
    return Camera((0.0, height, 0.0), *(math.radians(angle) for angle in (heading, pitch, lens)))


def _sun(text: str) -> list[float]:
    numbers = _numbers(text)
    if len(numbers) > 2:
        raise argparse.ArgumentTypeError(f"{shown(text)} must be elevation and perhaps heading, as in 30,150")
    _check_ranges(
        ("the sun's elevation", numbers[0], -6.0, 90.0, "degrees"),
        ("its heading", numbers[-1] if len(numbers) > 1 else 0.0, -360.0, 360.0, "degrees"),
    )
    return numbers


def _buoys(text: str) -> int:
    count = common.integer(text)
    if not 0 <= count <= _MOST_BUOYS:
        raise argparse.ArgumentTypeError(f"{shown(text)} must be a whole number from 0 to {_MOST_BUOYS}")
    return count


def _share(text: str) -> float:
    value = common.number(text)
    if not 0 <= value <= 1:  # written so that NaN fails too
        raise argparse.ArgumentTypeError(f"{shown(text)} must be a number from 0 to 1")
    return value


def _render_scale(text: str) -> float:
    value = common.number(text)
    if not _LEAST_SCALE <= value <= 1:  # written so that NaN fails too
        raise argparse.ArgumentTypeError(f"{shown(text)} must be a number from {_LEAST_SCALE:g} to 1")
    return value


def _time_of_day(text: str) -> tuple[float, float]:
    from glfft.apps.ocean.sky import LOWEST_SUN, sun_at

    hours = common.number(text)
    _check_ranges(("the time of day", hours, 0.0, 24.0, "hours"))
    elevation, heading = sun_at(hours)
    if elevation < LOWEST_SUN:
        raise argparse.ArgumentTypeError(f"at {hours:g} hours it is night; choose 5.5 to 18.5 hours")
    return elevation, heading


def _check_ranges(*checked: tuple[str, float, float, float, str]) -> None:
    for what, value, lowest, highest, unit in checked:
        if not lowest <= value <= highest:  # written so that NaN fails too
            raise argparse.ArgumentTypeError(f"{what} is {value:g} and must be from {lowest:g} to {highest:g} {unit}")


def _light(arguments: argparse.Namespace, shot: Shot) -> Weather:
    """The light that the options ask for, or else the shot's own."""
    weather = shot.weather()
    if arguments.time_of_day:
        elevation, heading = arguments.time_of_day
        weather = replace(weather, sun_elevation=elevation, sun_heading=heading)
    elif arguments.sun:
        elevation, heading = (*(math.radians(angle) for angle in arguments.sun), shot.sun_ahead())[:2]
        weather = replace(weather, sun_elevation=elevation, sun_heading=heading)
    if arguments.clouds is not None:
        weather = replace(weather, low_clouds=arguments.clouds)
    return weather


def run(arguments: argparse.Namespace) -> int:
    """Show the ocean, or write it. See `glfft.commands.cli` for the exit code."""
    check_algorithm(arguments.algorithm)  # a mistyped name is answered before anything is opened or made
    settings = settings_of(arguments)

    from glfft.apps.ocean.shot import Shot

    shot = Shot(
        settings=settings,
        preset=arguments.preset or "",
        algorithm=arguments.algorithm,
        time=arguments.time,
        frames=arguments.frames,
        frames_per_second=arguments.fps or _FRAMES_PER_SECOND,
        view=arguments.camera,
        quality=arguments.quality,
        path=_camera_path(arguments),
        supersampling=arguments.supersample,
        render_scale=arguments.render_scale,
        any_size=arguments.size is None and not arguments.settings,
        buoys=arguments.buoys,
    )
    shot = replace(shot, light=_light(arguments, shot))
    _check_outputs(arguments)
    if arguments.save_settings:
        from glfft.sea.settings_file import write_settings

        alone = not (arguments.output or arguments.headless or arguments.export_fields)
        if alone:
            _refuse(arguments, _PICTURE_OPTIONS, "--save-settings alone draws nothing; add --headless or --output")
        write_settings(arguments.save_settings, settings)
        print(arguments.save_settings)
        if alone:
            return 0
    if arguments.validate:
        _refuse(arguments, (*_PICTURE_OPTIONS, "--output", "--cpu", "--export-fields"), "--validate draws nothing")
        return _validate(shot)
    if arguments.cpu:
        return _export_from_cpu(arguments, shot)
    if arguments.export_fields and not (arguments.output or arguments.headless):
        _refuse(arguments, _PICTURE_OPTIONS, "--export-fields alone draws nothing; add --headless or --output")
        return _run_headless(arguments, shot, draw=False)
    if arguments.output or arguments.headless or not _display_or_say_so():
        return _run_headless(arguments, shot, draw=True)
    return _run_window(arguments, shot)


def settings_of(arguments: argparse.Namespace) -> OceanSettings:
    """The sea of a preset or a file, or the default one, with what the options change of it."""
    if arguments.preset and arguments.settings:
        raise UsageError("--preset and --settings both name a sea; give one of them.")
    base = OceanSettings()
    if arguments.preset:
        from glfft.sea.presets import preset

        base = preset(arguments.preset)
    elif arguments.settings:
        from glfft.sea.settings_file import read_settings

        base = read_settings(arguments.settings)
    changes: dict[str, Any] = {
        name: getattr(arguments, name)
        for name in ("size", "wind", "spectrum", "spreading", "depth", "seed", "loop")
        if getattr(arguments, name) is not None
    }
    if arguments.wind_direction is not None:
        changes["wind_direction"] = math.radians(arguments.wind_direction)
    if arguments.fetch is not None:
        changes["fetch"] = arguments.fetch * 1e3
    if arguments.swell:
        changes["swells"] = tuple(arguments.swell)
    if arguments.tile:
        changes |= {"tile": arguments.tile[0], "cascades": _cascades(arguments)}
    elif arguments.cascades is not None:
        changes["cascades"] = arguments.cascades
    settings = replace(base, **changes)
    return _as_measured(settings, arguments) if arguments.buoy else settings


def _camera_path(arguments: argparse.Namespace) -> CameraPath | None:
    from glfft.apps.ocean.camera_path import read_camera_path

    if arguments.camera_path and arguments.camera:
        raise UsageError("--camera and --camera-path both say where the camera is; give one of them.")
    return read_camera_path(arguments.camera_path) if arguments.camera_path else None


def _refuse(arguments: argparse.Namespace, options: Iterable[str], why: str) -> None:
    """Refuse options that would be ignored.

    Raises:
        UsageError: one of them was given.
    """
    for option in options:
        if getattr(arguments, option.removeprefix("--").replace("-", "_")) not in (None, False):
            raise UsageError(f"{option} has no effect here: {why}.")


def _run_headless(arguments: argparse.Namespace, shot: Shot, draw: bool) -> int:
    from glfft.apps.ocean.render import render
    from glfft.apps.ocean.scene import SECTIONS
    from glfft.gl.context import open_context
    from glfft.profiling.export import to_table
    from glfft.profiling.profiler import Profiler

    # Opened before the context: a path that cannot be written is known before any work begins.
    writers = _writers(arguments) if draw else []
    many = shot.frames_a_loop or _HEADLESS_FRAMES
    if shot.path and shot.path.duration > 0:
        many = math.floor(shot.path.duration * shot.frames_per_second + 1e-6) + 1
    frames = arguments.frames or (many if any(writer.takes_many for writer in writers) else 1)
    if frames > 1 and math.isfinite(shot.settings.loop) and not shot.frames_a_loop:
        raise UsageError(
            f"A loop of {shot.settings.loop:g} s is no whole number of pictures at {shot.frames_per_second:g} a "
            "second; choose another --loop or --fps."
        )
    if frames > 1 and writers and not any(writer.takes_many for writer in writers):
        raise UsageError(f"A .png holds one picture and --frames asks for {frames}; name a .mp4 or a folder.")
    if frames == 1:
        _refuse(arguments, ["--fps"], "there is a single picture")
    shot = replace(shot, frames=frames)
    made = frames
    ctx = open_context()
    try:
        if arguments.export_fields:
            _export_fields(ctx, shot, arguments.export_fields)
        if writers:
            profiler = Profiler(ctx, history=min(frames, _MOST_FRAMES_PROFILED)) if arguments.profile else None
            made = render(ctx, shot, arguments.resolution or _RESOLUTION, writers, profiler)
            for writer in writers:
                print(writer.path)
            if profiler:
                profiler.save(arguments.profile)
                print(to_table(profiler.statistics(), SECTIONS))
                print(arguments.profile)
                profiler.release()
    finally:
        ctx.release()
    if made < frames:
        print(f"glfft ocean: stopped after {made} of {frames} pictures, which are complete.", file=sys.stderr)
        return 128 + signal.SIGINT
    return 0


def _validate(shot: Shot) -> int:
    from glfft.gl.context import open_context
    from glfft.sea.measure import validate
    from glfft.sea.monitor import snapshot_at
    from glfft.sea.simulation import OceanSimulation

    ctx = open_context()
    try:
        with OceanSimulation(ctx, shot.settings, algorithm=shot.algorithm) as simulation:
            checks = validate(snapshot_at(simulation, shot.time))
    finally:
        ctx.release()
    print("\n".join(map(str, checks)))
    return 0 if all(each.passed for each in checks) else 1


def _export_from_cpu(arguments: argparse.Namespace, shot: Shot) -> int:
    from glfft.sea.fields import export_fields
    from glfft.sea.twin import OceanTwin

    if not arguments.export_fields:
        raise UsageError("--cpu computes --export-fields FILE.npz, and draws nothing; add that option.")
    _refuse(arguments, (*_PICTURE_OPTIONS, "--headless", "--output"), "--cpu draws nothing")
    export_fields(OceanTwin(shot.settings), shot.time, arguments.export_fields)
    print(arguments.export_fields)
    return 0


def _run_window(arguments: argparse.Namespace, shot: Shot) -> int:
    from glfft.apps.ocean.window import show

    if arguments.export_fields:
        raise UsageError("--export-fields draws nothing by itself; add --headless or --output for pictures as well.")
    _refuse(arguments, ["--overwrite"], "a window writes no numbered pictures")
    if shot.frames is None:
        _refuse(arguments, ["--fps"], "in a window the sea keeps the clock's time; add --frames or --output")
    show(shot, arguments.resolution or _RESOLUTION, overlay=not arguments.no_overlay, profile=arguments.profile)
    return 0


def _export_fields(ctx: moderngl.Context, shot: Shot, path: str) -> None:
    from glfft.sea.fields import export_fields
    from glfft.sea.simulation import OceanSimulation

    with OceanSimulation(ctx, shot.settings, algorithm=shot.algorithm) as simulation:
        export_fields(simulation, shot.time, path)
    print(path)


def _writers(arguments: argparse.Namespace) -> list[PictureWriter]:
    from glfft.apps.ocean.export import PictureFile, load_av, open_writer

    frames_per_second = arguments.fps or _FRAMES_PER_SECOND
    if arguments.output:
        return [open_writer(arguments.output, frames_per_second, arguments.overwrite)]
    _refuse(arguments, ["--overwrite"], "without --output the pictures get a name that is not there yet")
    stem = _unused_name(make_folder("out"))
    try:
        load_av()
        film = stem.with_suffix(".mp4")
    except MissingExtraError as error:
        film = stem
        print(f"glfft ocean: {error} Numbered pictures go to {film} instead.", file=sys.stderr)
    return [open_writer(film, frames_per_second), PictureFile(stem.with_suffix(".png"))]


def _unused_name(folder: Path) -> Path:
    """ocean, ocean-2, ocean-3 and so on: the first whose film and pictures are not there yet."""
    names = itertools.chain(["ocean"], (f"ocean-{number}" for number in itertools.count(2)))
    taken = {each.stem for each in folder.iterdir()}
    return folder / next(name for name in names if name not in taken)


def _check_outputs(arguments: argparse.Namespace) -> None:
    if arguments.profile is not None:
        if Path(arguments.profile).suffix.lower() not in (".json", ".csv"):
            raise UsageError(f"--profile {arguments.profile} must end in .json or .csv.")
        check_writable(arguments.profile)
    if arguments.save_settings is not None:
        if Path(arguments.save_settings).suffix.lower() != ".toml":
            raise UsageError(f"--save-settings {arguments.save_settings} must end in .toml.")
        check_writable(arguments.save_settings)
    if arguments.export_fields is not None:
        if Path(arguments.export_fields).suffix.lower() != ".npz":
            raise UsageError(f"--export-fields {arguments.export_fields} must end in .npz.")
        check_writable(arguments.export_fields)


def _display_or_say_so() -> bool:
    from glfft.ui.window import has_display

    if has_display():
        return True
    print("glfft ocean: no display can be reached, so no window opens; writing files instead.", file=sys.stderr)
    return False


def _finite(text: str) -> float:
    value = common.number(text)
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{shown(text)} must be a number of seconds")
    return value


def _frame_rate(text: str) -> float:
    value = common.number(text)
    if not 0.1 <= value <= 1000.0:  # written so that NaN fails too
        raise argparse.ArgumentTypeError(f"{shown(text)} must be a number of pictures per second from 0.1 to 1000")
    return value
