"""Times kernels of random passes, as those of the figure of the model, model-times.json.xz (make_model_plot.py).

Run in a checkout, on a GPU: `PYTHONPATH=. python docs/time_kernels.py FILE [--count 138] [--kernels 36] [--seed 1]`.
A kernel takes about 0.2 s, nearly all of it to compile. The kernels of a pass are the default, some of those that
tuning begins with, their neighbours, and some at random; what is shipped for its length is among them.
"""

import argparse
import json
import lzma
import math
import random
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path

import moderngl

import glfft
from glfft.algorithms import registry
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.lengths import largest_prime_factor
from glfft.algorithms.passes import Choice
from glfft.algorithms.stockham import candidates, choose
from glfft.algorithms.stockham.config import BY_STRIDE, KernelConfig
from glfft.algorithms.storage import STORAGES
from glfft.gl.context import state_of
from glfft.gl.device import Device
from glfft.profiling.timing import ContextTimer, time_in_turn
from glfft.tuning.workbench import Workbench
from glfft.wisdom import lookup

# Sides of screens and of cameras' pictures.
SIDES = (480, 600, 640, 720, 768, 800, 1080, 1200, 1280, 1440, 1536, 1600, 1920, 2160, 2560, 2592, 3000, 3024, 3264)
SIDES += (3456, 3648, 3840, 3888, 4000, 4032, 4320, 4480, 4896, 5184, 5472, 6000, 6336, 6720, 7680, 9504)
FAMILY = registry.family_of(choose.FAMILY)


def requests(device: Device, generator: random.Random) -> Iterator[AxisRequest]:
    """Passes over rows and columns of pictures, without end."""
    while True:
        kind, least = generator.random(), round(math.exp(generator.uniform(math.log(16), math.log(8192))))
        length = next(each for each in range(least, 2 * least) if largest_prime_factor(each) <= (7, 31)[kind > 0.9])
        length = generator.choice(SIDES) if kind < 0.4 else 1 << least.bit_length() - 1 if kind < 0.55 else length
        storage = STORAGES[generator.choices(["rg32f", "buffer", "rgba32f", "rg16f"], [58, 27, 8, 7])[0]]
        points = 2 ** generator.uniform(max(10, math.log2(length) + 3), 24 if storage.paired else 26)
        lines = max(round(points / length), 1)
        layers = None if lines <= 12000 else -(-lines // generator.choice([512, 1024, 2048]))
        lines, axis = lines // (layers or 1), generator.choice([0, 1])
        shape = (lines, length) if axis == 1 else (length, lines)
        request = AxisRequest(shape, axis, -1, 1.0, False, layers, storage, device)
        if length <= choose.longest_at_once(request) and choose.parts(request) == [request]:
            yield request


def kernels(request: AxisRequest, count: int, generator: random.Random) -> list[KernelConfig]:
    """Kernels for a pass, the default first."""
    promising = candidates.candidates(request, 24)
    winners = (entry.config for entry in lookup.winners(request, FAMILY))
    known = [config for config in winners if isinstance(config, KernelConfig)][:2]
    bases = [each for each in (promising[0], *known, *promising[1:8]) if candidates.is_worth_it(each, request)]
    found = dict.fromkeys(bases)
    lists = {radices for largest in (8, 16, 32) for radices in choose.radix_lists(request.length, largest)[:4]}
    for _ in range(3000):
        if len(found) >= count:
            break
        if generator.random() < 0.45:
            found.setdefault(generator.choice(candidates.neighbours(generator.choice(bases), request) or bases))
            continue
        radices = tuple(generator.sample(chosen := generator.choice(sorted(lists)), len(chosen)))
        several = len(radices) > 1
        lines = generator.choice([1, 2, 2, 2, 4, 4, 8, 8, 16, 32])
        kernel = KernelConfig(
            radices,
            generator.choice(choose.thread_counts(radices, generator.choice([16, 32]))[:4]),
            lines,
            lines > 1 and generator.random() < 0.75,
            generator.choices(["at once", "in turn", "alternate"], [4, 5, 1])[0] if several else "at once",
            generator.choice([0, BY_STRIDE, radices[0]]) if several else 0,
            sampled_twiddles=several and generator.random() < 0.4,
            twiddle_products=several and generator.random() < 0.2,
            prefetch_twiddles=several and generator.random() < 0.3,
        )
        if 32 <= kernel.invocations <= 1024 and candidates.is_worth_it(kernel, request):
            found.setdefault(kernel)
    return list(found)[:count]


def timed(ctx: moderngl.Context, request: AxisRequest, chosen: list[KernelConfig]) -> list[float]:
    """Microseconds a pass of each kernel."""
    bench = Workbench(ctx, request)
    compiled = [bench.compile(Choice(choose.FAMILY, kernel)) for kernel in chosen]
    with ContextTimer(ctx) as timer:
        subjects = [timer.subject(lambda each=each: bench.run(each)) for each in compiled]
        times = [each.microseconds for each in time_in_turn(subjects, 5)]
    bench.release()
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    for name, default in (("count", 138), ("kernels", 36), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    ctx, generator = glfft.open_context(), random.Random(given.seed)
    passes: list[dict[str, object]] = []
    for _, request in zip(range(given.count), requests(state_of(ctx).device, generator), strict=False):
        chosen = kernels(request, given.kernels, generator)
        times = [[*astuple(kernel), took] for kernel, took in zip(chosen, timed(ctx, request, chosen), strict=True)]
        about = {"shape": request.shape, "axis": request.axis, "layers": request.layers}
        passes.append({**about, "storage": request.storage.name, "kernels": times})
    content = {"device": ctx.info["GL_RENDERER"], "passes": passes}
    given.file.write_bytes(lzma.compress(json.dumps(content).encode()))


if __name__ == "__main__":
    main()
