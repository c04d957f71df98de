"""`glfft tune`: measures kernels on this device, keeps the fastest, and reads and writes files of them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from glfft.algorithms.storage import STORAGES
from glfft.commands.arguments import DEFAULT_SIZES, add_device, add_sizes, adder, file_name, shapes, whole_number
from glfft.errors import LimitError, OutputError

if TYPE_CHECKING:
    import moderngl

    from glfft.gl.device import Device
    from glfft.tuning.report import TunedPass

_BAR = "{percentage:3.0f}%|{bar}| {elapsed}<{remaining}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `glfft tune`."""
    add_sizes(parser, left_out=f"default: {DEFAULT_SIZES}; none with --import or --export")
    add = adder(parser)
    batch = "transform N pictures at once, as layers of texture arrays (default: one 2-D texture)"
    add("--batch N", whole_number(least=1), batch)
    add("--storage", tuple(STORAGES), "format of the textures or buffers", default="rg32f")
    add("--quick", None, "measure 8 kernels per pass instead of about 50")
    imported = "add measurements from files of --export; for equal lines the faster kernel is kept"
    add("--import FILE", file_name, imported, dest="imported", nargs="+", default=[])
    add("--export FILE", file_name, "write all known measurements, of any device, to a file for --import")
    add_device(parser)


def run(arguments: argparse.Namespace) -> int:
    """Import, measure, report, export.

    Raises:
        ShapeError: a size that cannot be transformed.
        OptionError: a batch that leaves half of the storage's last layer empty.
        DataError, OutputError: a file that cannot be read or written; without --export also the user's own.
        LimitError: nothing of what was asked for fits the device.
        ContextError: no device, or not enough memory.
    """
    from glfft.files import check_writable
    from glfft.wisdom import store

    sizes = arguments.sizes
    if sizes is None:
        sizes = [] if arguments.imported or arguments.export else shapes(DEFAULT_SIZES)
    layers = None if arguments.batch is None else STORAGES[arguments.storage].layers_of(arguments.batch)
    if arguments.export:
        check_writable(arguments.export)
    elif arguments.imported or store.path() is not None:
        store.check_keeping()
    for name in arguments.imported:
        print(_take_over(name, must_be_saved=not arguments.export))
    if sizes:
        _measure(arguments, sizes, layers)
    if arguments.export:
        store.write_file(arguments.export, store.entries())
        print(f"wrote {arguments.export}: {len(store.entries())} kernels")
    return 0


def _take_over(name: str, must_be_saved: bool) -> str:
    """Import a file; returns what came of it, in words."""
    from glfft.wisdom import store

    entries, left_out = store.read_file(name)
    taken = store.take_over(entries, must_be_saved)
    counts = {"no faster than what is known": len(entries) - taken, **left_out}
    reasons = ", ".join(f"{count} ({why})" for why, count in counts.items() if count)
    total = len(entries) + sum(left_out.values())
    return f"{name}: added {taken} of {total} kernels" + (f"; left out {reasons}" if reasons else "")


def _measure(arguments: argparse.Namespace, sizes: Sequence[tuple[int, ...]], layers: int | None) -> None:
    """Tune plans of all sizes; print what was found, and where it is kept."""
    from tqdm import tqdm

    from glfft.gl.context import driver_of, open_context, state_of
    from glfft.tuning.report import table
    from glfft.wisdom import store

    ctx = open_context(arguments.device)
    try:
        _check_shapes(sizes, state_of(ctx).device)
        with tqdm(total=len(sizes), unit="size", leave=False, bar_format=_BAR) as bar:
            found, skipped = tune(
                ctx, sizes, layers, arguments.storage, arguments.quick, lambda done: bar.update(done - bar.n)
            )
        print(f"{ctx.info['GL_RENDERER']}, {driver_of(ctx)}")
    finally:
        ctx.release()
    if skipped and not found:
        raise LimitError(" ".join(skipped))
    print(table(found))
    for sentence in skipped:
        print(sentence)
    # Of two of the same lines the later one stays.
    kept = {each.entry.key: each.entry for each in found}.values()
    if store.saved(kept):
        print(f"saved in {store.path()}")
    elif store.path() is None:
        print(f"not saved: {store.why_nowhere()}")
    elif not arguments.export:
        raise OutputError(f"The results could not be saved in {store.path()}.")


def tune(
    ctx: moderngl.Context,
    sizes: Sequence[tuple[int, ...]],
    layers: int | None,
    storage: str,
    quick: bool,
    progress: Callable[[float], object] = lambda share: None,
) -> tuple[tuple[TunedPass, ...], list[str]]:
    """Tune plans of several sizes.

    Args:
        progress: called with how many sizes are done, fractions included.

    Returns:
        What was found, and a sentence for each size that does not fit the device.
    """
    from glfft.plan import Plan

    found: list[TunedPass] = []
    skipped: list[str] = []
    for index, shape in enumerate(sizes):
        try:
            with Plan(ctx, shape, layers=layers, storage=storage) as plan:
                found += plan.tune(lambda share, done=index: progress(done + share), quick=quick).passes
        except LimitError as error:
            skipped.append(str(error))
        progress(index + 1.0)
    return tuple(found), skipped


def _check_shapes(sizes: Sequence[tuple[int, ...]], device: Device) -> None:
    """Refuse a shape that nothing can transform before another is measured for minutes."""
    from glfft.engine.request import PlanRequest

    for shape in sizes:
        with suppress(LimitError):
            PlanRequest.of(shape).check_limits(device)
