"""`glfft bench`: from the command line to a table and a JSON file."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence

import moderngl
import numpy as np
from tqdm import tqdm

import glfft
from glfft import gl
from glfft.accuracy import random_complex, snr_db
from glfft.algorithms.registry import algorithms, by_name
from glfft.arguments import add_device, names, shapes, whole_number
from glfft.bench.peers import PEERS, Peer, open_peers
from glfft.bench.report import Report, Result
from glfft.errors import LimitError
from glfft.files import atomic_write, check_writable
from glfft.plan import Plan
from glfft.request import make_request
from glfft.timing import FEWEST_SAMPLES, ContextTimer, Timing, time_in_turn

_DEFAULT_SIZES = "256,512,1024"
_STANDARD_OUTPUT = "-"
_SEED = 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `glfft bench`."""
    parser.add_argument(
        "--sizes",
        type=shapes,
        default=_DEFAULT_SIZES,
        metavar="LIST",
        help="256 means 256x256, 512x1024 means 512 rows of 1024 columns; separated by commas",
    )
    parser.add_argument(
        "--algorithms", type=names, metavar="NAMES", help="names separated by commas; 'glfft info' lists them (all)"
    )
    parser.add_argument(
        "--against",
        type=names,
        default=[],
        metavar="NAMES",
        help=f"libraries to time in the same run: {', '.join(PEERS)}, separated by commas (default: none)",
    )
    parser.add_argument(
        "--samples",
        type=whole_number(least=FEWEST_SAMPLES),
        default=21,
        metavar="N",
        help="how often each is measured, for median and quartiles; slow ones less often",
    )
    parser.add_argument("--json", metavar="FILE", help="write the results as JSON ('-': print them instead of a table)")
    add_device(parser)


def run(arguments: argparse.Namespace) -> int:
    """Measure and report.

    Raises:
        OptionError, ShapeError: a name or size that does not exist.
        MissingExtraError: a library to compare with is not installed.
        LimitError: nothing of what was asked for fits the device.
        ContextError, OutputError: no device, or the file cannot be written.
    """
    chosen = arguments.algorithms or [name for name in algorithms() if name != "auto"]
    for name in chosen:
        by_name(name)
    to_file = arguments.json not in (None, _STANDARD_OUTPUT)
    if to_file:
        check_writable(arguments.json)
    peers = open_peers(arguments.against)
    ctx = gl.open_context(arguments.device)
    try:
        for shape in arguments.sizes:
            make_request(shape, (0, 1), "auto", None, "table", gl.state_of(ctx).limits)
        steps = len(arguments.sizes) * (len(chosen) + len(peers))
        with tqdm(total=steps, unit="measurement", leave=False) as bar:
            report = benchmark(ctx, arguments.sizes, chosen, peers, arguments.samples, lambda: bar.update())
    finally:
        ctx.release()
    if not report.results:
        raise LimitError(" ".join(report.skipped))
    if arguments.json == _STANDARD_OUTPUT:
        print(json.dumps(report.to_json(), indent=2))
    else:
        print(report.to_text())
    if to_file:
        with atomic_write(arguments.json) as path:
            path.write_text(json.dumps(report.to_json(), indent=2) + "\n", encoding="utf-8")
    return 0


def benchmark(
    ctx: moderngl.Context,
    shapes: Sequence[tuple[int, int]],
    algorithms: Sequence[str],
    peers: Sequence[Peer],
    samples: int,
    step_done: Callable[[], object] = lambda: None,
) -> Report:
    """Time the forward transform of each shape by each algorithm, out of place, and by each peer.

    Args:
        shapes: rows, columns.
        algorithms: names; one that does not fit a shape is skipped and the report says so.
        samples: most samples of a measurement.
        step_done: called after each measurement.

    Raises:
        ShapeError, AlgorithmError: a shape or name that makes no sense.
    """
    results: list[Result] = []
    skipped: list[str] = []
    for shape in shapes:
        data = random_complex(shape, _SEED)
        exact = np.fft.fft2(data.astype(np.complex128))
        peer_timings: dict[str, Timing] = {}
        for peer in peers:
            peer_timings[peer.name] = peer.time(data, samples)
            step_done()
        source = ctx.texture((shape[1], shape[0]), 2, data.tobytes(), dtype="f4")
        target = ctx.texture((shape[1], shape[0]), 2, dtype="f4")
        try:
            gl.check_errors(ctx, f"making textures of shape {shape}")
            for name in algorithms:
                try:
                    with Plan(ctx, shape, algorithm=name) as plan:
                        timing = _time_plan(plan, source, target, samples)
                        got = np.frombuffer(target.read(), np.complex64).reshape(shape)
                        results.append(Result(name, shape, timing, plan.bytes_moved, snr_db(got, exact), peer_timings))
                except LimitError as error:
                    skipped.append(str(error))
                step_done()
        finally:
            source.release()
            target.release()
    return Report(ctx.info["GL_RENDERER"], _setup(ctx, samples, peers), results, skipped)


def _time_plan(plan: Plan, source: moderngl.Texture, target: moderngl.Texture, samples: int) -> Timing:
    # The barrier of everyday use: a shader samples the result, or the next transform does.
    with ContextTimer(plan.ctx) as timer:
        (timing,) = time_in_turn([timer.subject(lambda: plan.forward(source, target, next_use="sample"))], samples)
    plan.forward(source, target, next_use="read")
    return timing


def _setup(ctx: moderngl.Context, samples: int, peers: Sequence[Peer]) -> dict[str, object]:
    return {
        "glfft": glfft.__version__,
        "opengl": ctx.info["GL_VERSION"],
        "transform": "2-D complex64, forward, out of place, twiddles from a table",
        "samples": samples,
        "seed": _SEED,
        "peers": {peer.name: peer.description for peer in peers},
    }
