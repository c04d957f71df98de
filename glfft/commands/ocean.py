"""`glfft ocean`: options to a shot, and the shot to a window or to files."""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from glfft.algorithms.registry import check_algorithm
from glfft.commands import arguments as common
from glfft.commands.ocean_bake import add_sea, settings_of
from glfft.errors import MissingExtraError, UsageError
from glfft.files import check_writable, make_folder

if TYPE_CHECKING:
    from glfft.apps.ocean.camera import Camera
    from glfft.apps.ocean.export import PictureWriter
    from glfft.apps.ocean.shot import Shot
    from glfft.sea.settings import OceanSettings

_RESOLUTION, _LARGEST_SIDE = (1280, 720), 16384
# Two seconds. Without a GPU a frame takes half a second on two cores, and people wait for their first film.
_HEADLESS_FRAMES, _FRAMES_PER_SECOND = 48, 24.0
_APERTURE = 2048  # texels a side
_MOST_BUOYS = 300
_MOST_FRAMES_PROFILED = 100_000  # some hundred bytes a frame

# Options without effect where nothing is drawn.
_PICTURE_OPTIONS = ("--profile", "--trace", "--frames", "--fps", "--resolution", "--overwrite", "--no-overlay")
_PICTURE_OPTIONS += ("--buoys", "--camera", "--camera-path", "--sun", "--time-of-day", "--clouds")


def add_arguments(parser: common.Parser) -> None:
    add_sea(parser)
    add = common.adder(parser, "camera")
    place = "first camera: metres above the still sea (negative is under water), heading from +x towards +z and pitch"
    view = "above the horizon in degrees, and optionally the vertical angle of view (default: low, against the waves)"
    add("--camera HEIGHT,HEADING,PITCH", _camera, f"{place} {view}")
    path = "fly the camera along a path, in a window until you move it; the file has a table [[camera]] per place with"
    keys = "time (s), position ([x, y, z], m) and, optionally, heading, pitch and lens (degrees)"
    add("--camera-path FILE.toml", common.file_name, f"{path} {keys}")
    add = common.adder(parser, "light")
    sun = "position of the sun, degrees; HEADING is optional (default: 12 or a preset's, ahead of the camera)"
    parts = ("the sun's elevation", -6.0, 90.0, "degrees"), ("the sun's heading", -360.0, 360.0, "degrees")
    add("--sun ELEVATION,HEADING", common.values("elevation and optionally heading, as in 30,150", 1, *parts), sun)
    day = "solar time, 5.5 to 18.5, on a day with sunrise at 6 in the east (+x)"
    add("--time-of-day HOURS", common.between(5.5, 18.5, "hours, when it is day"), day)
    clouds = "share of the sky under low clouds, which throw shadows and hide the sun (default: 0.2, or a preset's)"
    add("--clouds SHARE", common.between(0, 1), clouds)
    add = common.adder(parser, "output")
    written = "picture, film or folder of pictures to write, without a window"
    names = "default without a display: out/ocean.mp4 and out/ocean.png, or out/ocean-2.mp4 and so on if they exist"
    add("-o --output FILE.png|FILE.mp4|DIR", common.file_name, f"{written} ({names})")
    add("--overwrite", None, "replace numbered pictures in DIR once all new ones are written (default: stop)")
    add("--headless", None, "open no window")
    add("--resolution WxH", common.resolution(2, _LARGEST_SIDE), "pixels (default: {}x{})".format(*_RESOLUTION))
    frames = f"number of pictures (default: 1 for a .png, else a loop, path or {_HEADLESS_FRAMES}; no limit in windows)"
    add("--frames N", common.whole_number(least=1), frames)
    rate = f"pictures per second of a film and of the sea's time (default: {_FRAMES_PER_SECOND:g})"
    add("--fps F", common.between(0.1, 1000, "pictures per second"), rate)
    add("--time T", common.between(-(2**31), 2**31, "seconds"), "time of the first picture, s", default=0.0)
    quality = "detail of mesh, filters and edges; auto is high on a GPU, else minimal in windows and medium in files"
    glare = "glare of bright light: as on film, from a small picture, or of 'glfft bloom', at full resolution"
    add("--glare", ("film", "diffraction"), glare, default="film")
    add("--quality", ("minimal", "low", "medium", "high", "auto"), quality, default="auto")
    samples = "draw N pixels along each side of a pixel, and average (default: 1; screenshots have at least 2)"
    add("--supersample N", common.integer, samples, dest="supersampling", choices=(1, 2, 4), default=1)
    buoys = f"number of channel buoys ahead of the first camera, up to {_MOST_BUOYS} (default: 0)"
    add("--buoys N", common.whole_number(0, _MOST_BUOYS), buoys, default=0)
    add("--no-overlay", None, "open the window without the frame-time overlay (pictures have none)")
    alone = "without --output or --headless nothing is drawn"
    add("--export-fields FILE.npz", common.file_ending(".npz"), f"write the sea's fields at --time; {alone}")
    add("--save-settings FILE.toml", common.file_ending(".toml"), f"write the settings of the sea; {alone}")
    add = common.adder(parser, "checks")
    most = f"at most the last {_MOST_FRAMES_PROFILED:,} frames"
    written = "write and print frame times by section: .json, .csv, or .trace.json for Perfetto"
    add("--profile FILE.json", common.file_ending(".json", ".csv"), f"{written} ({most}; .trace.json 1000)")
    common.add_trace(add)
    first = ("--preset", "--wind", "--camera", "--time-of-day", "--clouds", "--quality")
    parser.show_first(*first, "--resolution", "--frames", "--headless", "--output")


def _camera(text: str) -> Camera:
    from glfft.apps.ocean.camera import HIGHEST, LOWEST, STEEPEST, Camera

    steepest = math.degrees(STEEPEST)
    said = "height, heading, pitch and optionally the angle of view, separated by commas, as in 20,150,-5"
    place = ("the camera's height", LOWEST, HIGHEST, "m"), ("the camera's heading", -360.0, 360.0, "degrees")
    view = ("the camera's pitch", -steepest, steepest, "degrees"), ("the camera's angle of view", 2.0, 120.0, "degrees")
    height, *angles = (*common.values(said, 3, *place, *view)(text), 38.0)[:4]
    return Camera((0.0, height, 0.0), *(math.radians(angle) for angle in angles))


def run(arguments: argparse.Namespace) -> int:
    check_algorithm(arguments.algorithm)  # a mistyped name is answered before anything is opened or made
    shot = _shot(arguments, settings_of(arguments))
    for path in filter(None, (arguments.profile, arguments.trace, arguments.save_settings, arguments.export_fields)):
        check_writable(path)
    written = arguments.output or arguments.headless
    alone = not written and (arguments.export_fields or arguments.save_settings)
    if alone:
        option = "--export-fields" if arguments.export_fields else "--save-settings"
        _refuse(arguments, _PICTURE_OPTIONS, f"{option} alone draws nothing; add --headless or --output")
    if arguments.save_settings:
        from glfft.sea.settings_file import write_settings

        write_settings(arguments.save_settings, shot.settings)
        print(arguments.save_settings)
    if alone:
        return _run_headless(arguments, shot, draw=False) if arguments.export_fields else 0
    if written or not common.display_or_say_so("glfft ocean", "files"):
        return _run_headless(arguments, shot, draw=True)
    from glfft.apps.ocean.window import show

    _refuse(arguments, ["--overwrite"], "a window writes no numbered pictures")
    if shot.frames is None:
        _refuse(arguments, ["--fps"], "in a window the sea keeps the clock's time; add --frames or --output")
    files = {"profile": arguments.profile, "trace": arguments.trace}
    show(shot, arguments.resolution or _RESOLUTION, overlay=not arguments.no_overlay, **files)
    return 0


def _shot(arguments: argparse.Namespace, settings: OceanSettings) -> Shot:
    from glfft.apps.ocean.camera import read_camera_path
    from glfft.apps.ocean.shot import Shot
    from glfft.apps.ocean.sky import sun_at

    if arguments.camera_path and arguments.camera:
        raise UsageError("--camera and --camera-path both say where the camera is; give one of them.")
    if arguments.time_of_day and arguments.sun:
        raise UsageError("--time-of-day and --sun both say where the sun is; give one of them.")
    of_shot = common.given(arguments, Shot)
    of_shot |= {"settings": settings, "any_size": arguments.size is None and not arguments.settings}
    shot = Shot(
        **of_shot,
        frames_per_second=arguments.fps or _FRAMES_PER_SECOND,
        view=arguments.camera,
        path=read_camera_path(arguments.camera_path) if arguments.camera_path else None,
        diffraction=_APERTURE if arguments.glare == "diffraction" else 0,
    )
    sun = sun_at(arguments.time_of_day) if arguments.time_of_day else map(math.radians, arguments.sun or ())
    changes: dict[str, float] = dict(zip(("sun_elevation", "sun_heading"), sun, strict=False))
    if arguments.clouds is not None:
        changes["low_clouds"] = arguments.clouds
    return replace(shot, light=replace(shot.weather(), **changes))


def _refuse(arguments: argparse.Namespace, options: Iterable[str], why: str) -> None:
    """Raise UsageError for options that would be ignored."""
    for option in options:
        if getattr(arguments, option.removeprefix("--").replace("-", "_")) not in (None, False):
            raise UsageError(f"{option} has no effect here: {why}.")


def _run_headless(arguments: argparse.Namespace, shot: Shot, draw: bool) -> int:
    from glfft import Profiler
    from glfft.apps.ocean.render import pictures, times_saved, write_pictures

    # Opened before the context: a path that cannot be written is known before any work begins.
    writers = _writers(arguments) if draw else []
    frames = made = _count_frames(arguments, shot, writers)
    shot = replace(shot, frames=frames)
    with common.headless_context() as ctx:
        if arguments.export_fields:
            from glfft.sea.fields import export_fields
            from glfft.sea.simulation import OceanSimulation

            with OceanSimulation(ctx, shot.settings, algorithm=shot.algorithm) as simulation:
                export_fields(simulation, shot.time, arguments.export_fields)
            print(arguments.export_fields)
        if writers:
            timed = arguments.profile or arguments.trace
            profiler = Profiler(ctx, history=min(frames, _MOST_FRAMES_PROFILED)) if timed else None
            with profiler or nullcontext(), times_saved(profiler, arguments.profile, arguments.trace):
                shown = partial(pictures, ctx, shot, arguments.resolution or _RESOLUTION, profiler)
                made = write_pictures(writers, frames, shown)
                for writer in writers:
                    print(writer.path)
    return common.film_code("glfft ocean", made, frames, writers[0].outcome if writers else "")


def _count_frames(arguments: argparse.Namespace, shot: Shot, writers: list[PictureWriter]) -> int:
    several = any(writer.takes_many for writer in writers)
    many = shot.frames_a_loop or _HEADLESS_FRAMES
    if shot.path and shot.path.duration > 0:
        many = math.floor(shot.path.duration * shot.frames_per_second + 1e-6) + 1
    frames = arguments.frames or (many if several else 1)
    if frames == 1:
        _refuse(arguments, ["--fps"], "there is a single picture")
    elif math.isfinite(shot.settings.loop) and not shot.frames_a_loop:
        rate = f"{shot.frames_per_second:g} pictures per second; choose another --loop or --fps"
        raise UsageError(f"A loop of {shot.settings.loop:g} s is no whole number of pictures at {rate}.")
    elif writers and not several:
        raise UsageError(f"A .png holds one picture and --frames asks for {frames}; name a .mp4 or a folder.")
    return frames


def _writers(arguments: argparse.Namespace) -> list[PictureWriter]:
    from glfft.apps.ocean.export import PictureFile, load_av, open_writer

    frames_per_second = arguments.fps or _FRAMES_PER_SECOND
    if arguments.output:
        return [open_writer(arguments.output, frames_per_second, arguments.overwrite)]
    _refuse(arguments, ["--overwrite"], "without --output the pictures get a new name")
    folder = make_folder("out")
    taken = {each.stem for each in folder.iterdir()}
    names = itertools.chain(["ocean"], (f"ocean-{number}" for number in itertools.count(2)))
    stem = folder / next(name for name in names if name not in taken)
    try:
        load_av()
        film = stem.with_suffix(".mp4")
    except MissingExtraError as error:
        film = stem
        print(f"glfft ocean: {error} Numbered pictures go to {film} instead.", file=sys.stderr)
    return [open_writer(film, frames_per_second), PictureFile(stem.with_suffix(".png"))]
