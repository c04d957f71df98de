"""`glfft bench`: from the command line to a table and a JSON file."""

import argparse
import itertools
import json
import math
from dataclasses import replace
from functools import partial

from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.peers import FRAMES, LIBRARIES
from glfft.apps.bench.suite import DEFAULT_SUITE, FLOAT32, NO_SUITE, RANDOM, SUITES, Case
from glfft.apps.papers import NAMES as CHAPTERS
from glfft.commands import arguments as common
from glfft.commands.arguments import names, whole_number
from glfft.errors import AccuracyError, LimitError, OptionError, check_choice

_OF_PICTURES = ("sizes", "batch", "storage", "suite", "algorithms", "against", "json", "tune", "check")
_STANDARD_OUTPUT = "-"
_SAMPLES, _COUNT = 21, 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_sizes(parser, left_out=f"default: {common.DEFAULT_SIZES}")
    add = common.adder(parser)
    add("--batch N", whole_number(least=1), "transform N pictures at once, as layers (default: 1)")
    storage = f"storage formats, separated by commas: {', '.join(STORAGES)}; {FLOAT32.name} is always timed too"
    add("--storage NAMES", names, f"{storage} (default: {FLOAT32.name})")
    suite = f"measure the cases of docs/performance.md: {' or '.join(SUITES)} (without a name: {DEFAULT_SUITE})"
    drawn = f"{RANDOM}: draw sizes of cameras, screens and others, up to 100 megapixels"
    add("--suite NAME", (*SUITES, RANDOM), f"{suite}, with 'auto'; {drawn}", nargs="?", const=DEFAULT_SUITE)
    add("--count N", whole_number(least=1), f"with --suite {RANDOM}: how many cases (default: {_COUNT})")
    add("--seed N", whole_number(least=0), f"with --suite {RANDOM}: an equal seed draws equal cases (default: 0)")
    algorithms = "algorithms to measure, separated by commas; 'glfft info' lists them (default: all but auto)"
    add("--algorithms NAMES", names, algorithms)
    against = f"libraries ({', '.join(LIBRARIES)}) and frame times from texture to texture ({', '.join(FRAMES)})"
    add("--against NAMES", names, f"what to compare with, separated by commas: {against} (default: none)", default=[])
    samples = f"samples per time, 5 or more, or fewer if slow (default: {_SAMPLES}; --papers --quick: the fewest)"
    add("--samples N", _samples, samples)
    add("--tune", None, "find the fastest kernels first, as 'glfft tune' does; takes minutes for large cases")
    add("--check", None, "exit with code 1 if a result is less accurate than its storage allows")
    add("--json FILE", common.file_name, "write the results as JSON too")
    common.add_device(parser)
    add = common.adder(parser, "other measurements")
    papers = "test published claims on this GPU; report to FILE.md, FILE.html, FILE.json (numbers only) or a folder"
    add("--papers FILE", str, f"{papers} with plots (without FILE: print Markdown)", nargs="?", const=_STANDARD_OUTPUT)
    add("--only NAMES", names, f"with --papers: chapters, separated by commas: {', '.join(CHAPTERS)}")
    add("--quick", None, "with --papers: fewer sizes and samples")
    queries = "time looking up points of the sea, POINTS in a batch (without POINTS: 10000)"
    add("--queries POINTS", whole_number(least=1), queries, nargs="?", const=10_000)


def _samples(text: str) -> int:
    # Imported here because it brings moderngl, which help does not wait for.
    from glfft.profiling.timing import FEWEST_SAMPLES

    return whole_number(least=FEWEST_SAMPLES)(text)


def run(arguments: argparse.Namespace) -> None:
    """Measure and report; with --check raises AccuracyError if a result is wrong."""
    from glfft.algorithms.registry import algorithm_names, check_algorithm
    from glfft.apps.bench.benchmark import benchmark
    from glfft.apps.bench.own import time_queries
    from glfft.apps.bench.peers import open_peers
    from glfft.apps.bench.random_suite import most_points, random_suite
    from glfft.apps.bench.results import render
    from glfft.files import check_writable, write_whole
    from glfft.gl.context import state_of

    if arguments.papers is not None:
        _papers(arguments)
        return
    if arguments.only or arguments.quick:
        raise OptionError("--only and --quick go with --papers; --sizes and --samples shorten other runs.")
    if arguments.queries:
        if any(getattr(arguments, name) for name in _OF_PICTURES):
            raise OptionError("--queries measures one thing: only --samples and --device go with it.")
        with common.headless_context(arguments.device) as ctx:
            print(time_queries(ctx, arguments.queries, arguments.samples or _SAMPLES))
        return
    if arguments.suite != RANDOM and (arguments.count is not None or arguments.seed is not None):
        raise OptionError(f"--count and --seed go with --suite {RANDOM}.")
    cases = _cases(arguments)
    by_default = ["auto"] if arguments.suite else [name for name in algorithm_names() if name != "auto"]
    chosen = [check_algorithm(name) for name in arguments.algorithms or by_default]
    if arguments.json:
        check_writable(arguments.json)
    peers = open_peers(arguments.against)
    with common.headless_context(arguments.device) as ctx:
        for case in cases:
            case.request.check_limits(state_of(ctx).device)
        suite = SUITES.get(arguments.suite, NO_SUITE)
        if arguments.suite == RANDOM:
            suite = random_suite(arguments.seed or 0, arguments.count or _COUNT, most_points(ctx))
            suite = replace(suite, most_compared=math.inf) if arguments.check else suite
        samples = arguments.samples or _SAMPLES
        report = benchmark(ctx, cases or suite.cases, chosen, peers, samples, tune=arguments.tune, suite=suite)
    if not report.results:
        raise report.stop or LimitError(" ".join(report.skipped))
    print(render(report), flush=True)
    if arguments.json:
        write_whole(arguments.json, f"{json.dumps(report.to_json(), indent=2)}\n".encode())
    if report.stop is not None:
        raise report.stop
    if arguments.check and report.wrong:
        raise AccuracyError(f"Wrong results: {'; '.join(report.wrong)}.")


def _papers(arguments: argparse.Namespace) -> None:
    from tqdm import tqdm

    from glfft.apps.papers import open_chapters, report
    from glfft.apps.papers.measuring import Run
    from glfft.profiling.timing import FEWEST_SAMPLES

    if arguments.queries or any(getattr(arguments, name) for name in _OF_PICTURES):
        raise OptionError("--papers has its own cases: only --only, --quick, --samples, --device go with it.")
    open_chapters(arguments.only or ())
    to_file = arguments.papers != _STANDARD_OUTPUT
    if to_file:
        report.check(arguments.papers)

    def progress(text: str) -> None:
        bar.set_description_str(text)  # a bar without a total puts a colon after it
        bar.update()

    samples = arguments.samples or (FEWEST_SAMPLES if arguments.quick else _SAMPLES)
    # What is measured is written chapter by chapter: an interrupted run leaves what it has.
    write = partial(report.write, target=arguments.papers) if to_file else lambda _: None
    with (
        common.headless_context(arguments.device) as ctx,
        tqdm(unit="step", leave=False) as bar,
        Run(ctx, samples, arguments.quick, progress) as run,
    ):
        found = report.measure(run, arguments.only or CHAPTERS, write)
    if not to_file:
        print(report.as_text(found), end="")


def _cases(arguments: argparse.Namespace) -> list[Case]:
    if arguments.suite:
        if arguments.sizes or arguments.batch or arguments.storage:
            raise OptionError("--suite has its own cases: leave out --sizes, --batch and --storage.")
        return []
    storages = [check_choice("storage", name, tuple(STORAGES)) for name in arguments.storage or (FLOAT32.name,)]
    sizes, batch = arguments.sizes or common.shapes(common.DEFAULT_SIZES), arguments.batch or 1
    return [Case(shape, batch, storage=STORAGES[name]) for shape, name in itertools.product(sizes, storages)]
