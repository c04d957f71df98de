"""`glfft bench`: from the command line to a table and a JSON file."""

from __future__ import annotations

import argparse
import itertools
import json

from glfft.algorithms.registry import algorithms, by_name
from glfft.algorithms.storage import STORAGES
from glfft.bench.cases import FLOAT32, Case
from glfft.bench.peers import FRAME_PEERS, PEERS, open_peers
from glfft.bench.run import benchmark
from glfft.bench.suite import CUFFT, SUITE
from glfft.bench.table import render
from glfft.commands.arguments import DEFAULT_SIZES, add_device, add_sizes, names, shapes, whole_number
from glfft.engine.checks import check_choice, make_request
from glfft.errors import AccuracyError, LimitError, OptionError
from glfft.files import atomic_write, check_writable
from glfft.gl.context import open_context, state_of
from glfft.tuning.timing import FEWEST_SAMPLES

_STANDARD_OUTPUT = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `glfft bench`."""
    add_sizes(parser, left_out=f"default: {DEFAULT_SIZES}")
    parser.add_argument(
        "--batch", type=whole_number(least=1), metavar="N", help="transform N pictures at once, as layers (default: 1)"
    )
    parser.add_argument(
        "--storage",
        metavar="NAMES",
        type=names,
        help=f"what the textures hold: {', '.join(STORAGES)}, separated by commas; all but {FLOAT32.name} are compared "
        f"with it (default: {FLOAT32.name})",
    )
    parser.add_argument(
        "--suite",
        action="store_true",
        help="the cases of docs/performance.md instead of --sizes, --batch and --storage, by 'auto' unless "
        f"--algorithms names others; with --against {CUFFT} the marks set for them are judged",
    )
    parser.add_argument(
        "--algorithms", type=names, metavar="NAMES", help="names separated by commas; 'glfft info' lists them (all)"
    )
    parser.add_argument(
        "--against",
        type=names,
        default=[],
        metavar="NAMES",
        help=f"libraries to time in the same run: {', '.join(PEERS)}, separated by commas (default: none); "
        f"{' and '.join(FRAME_PEERS)} are timed by the frame, from texture to texture",
    )
    parser.add_argument(
        "--samples",
        type=whole_number(least=FEWEST_SAMPLES),
        default=21,
        metavar="N",
        help="how often each is measured, for median and quartiles; slow ones less often",
    )
    parser.add_argument(
        "--tune",
        action="store_true",
        help="first find the fastest kernels by measuring, as 'glfft tune' does; minutes for large cases",
    )
    parser.add_argument(
        "--check", action="store_true", help="fail (exit code 1) when a result is further from float64 than it may be"
    )
    parser.add_argument("--json", metavar="FILE", help="write the results as JSON ('-': print them instead of a table)")
    add_device(parser)


def run(arguments: argparse.Namespace) -> int:
    """Measure and report.

    Raises:
        OptionError, ShapeError: a name, size or combination that does not exist.
        MissingExtraError: a library to compare with is not installed.
        LimitError: nothing of what was asked for fits the device.
        AccuracyError: a result is wrong, with --check.
        ContextError, OutputError: no device, or the file cannot be written.
    """
    cases = _cases(arguments)
    by_default = ["auto"] if arguments.suite else [name for name in algorithms() if name != "auto"]
    chosen = arguments.algorithms or by_default
    for name in chosen:
        by_name(name)
    to_file = arguments.json not in (None, _STANDARD_OUTPUT)
    if to_file:
        check_writable(arguments.json)
    peers = open_peers(arguments.against)
    ctx = open_context(arguments.device)
    try:
        for case in cases if not arguments.suite else ():
            make_request(case.shape, case.axes, "auto", None, "table", state_of(ctx).limits)
        report = benchmark(ctx, cases, chosen, peers, arguments.samples, tune=arguments.tune, suite=arguments.suite)
    finally:
        ctx.release()
    if not report.results:
        raise LimitError(" ".join(report.skipped))
    if arguments.json == _STANDARD_OUTPUT:
        print(json.dumps(report.to_json(), indent=2))
    else:
        print(render(report))
    if to_file:
        with atomic_write(arguments.json) as path:
            path.write_text(json.dumps(report.to_json(), indent=2) + "\n", encoding="utf-8")
    if arguments.check and report.wrong:
        raise AccuracyError(f"Wrong results: {'; '.join(report.wrong)}.")
    return 0


def _cases(arguments: argparse.Namespace) -> list[Case]:
    if arguments.suite:
        if arguments.sizes or arguments.batch or arguments.storage:
            raise OptionError("--suite brings its own cases: leave out --sizes, --batch and --storage.")
        return [case for group in SUITE for case in group.cases]
    storages = [check_choice("storage", name, tuple(STORAGES)) for name in arguments.storage or (FLOAT32.name,)]
    sizes = arguments.sizes or shapes(DEFAULT_SIZES)
    return [
        Case(shape, arguments.batch or 1, storage=STORAGES[storage])
        for shape, storage in itertools.product(sizes, storages)
    ]
