"""Every final shader source is valid GLSL 4.30 by the reference compiler, not only by the driver at hand."""

from __future__ import annotations

import functools
import hashlib
import itertools
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from support.kernels import KINDS, PRODUCT, kernels, pass_of_kind, request
from support.paths import SHADERS
from support.pictures import ALGORITHMS, PING_PONG
from support.requests import axis_request

from glfft import convolution, snippets
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.kinds import KINDS as TRIGONOMETRIC
from glfft.algorithms.passes import PassSpec, in_either_direction
from glfft.algorithms.regions import BOUNDARIES, Points
from glfft.algorithms.stockham.candidates import candidates, neighbours
from glfft.algorithms.stockham.kernel import kernel_pass
from glfft.algorithms.stockham.pictures import StockhamPicture
from glfft.algorithms.stockham.rader import Rader
from glfft.algorithms.storage import STORAGES
from glfft.algorithms.study.butterfly_sets import FAMILIES as BUTTERFLY_SET_FAMILIES
from glfft.algorithms.study.four_by_four import FourByFour, every_config
from glfft.algorithms.study.global_local import FAMILIES as GLOBAL_LOCAL_FAMILIES
from glfft.algorithms.study.word_groups import FAMILIES as WORD_GROUP_FAMILIES
from glfft.algorithms.study.word_groups import WordGroupConfig, in_bit_reversed_order
from glfft.apps.ocean.water import shading_defines
from glfft.apps.ofdm.link.settings import FIXED8, FLOAT16, FLOAT32
from glfft.apps.ofdm.link.symbols import Width
from glfft.apps.papers.hinitt_batches import sampled_pass
from glfft.convolution import axis_region, pictures
from glfft.engine.plan_passes import plan_passes
from glfft.engine.request import CONVOLVE, FORWARD, INVERSE, PlanRequest
from glfft.errors import LimitError
from glfft.gl.bindings import BUSY_BUFFER_BINDING, SUMS_BUFFER_BINDING
from glfft.gl.device import Device, Limits
from glfft.gl.source import Define, assemble
from glfft.snippets import Snippet

VALIDATOR = shutil.which("glslangValidator")

pytestmark = pytest.mark.skipif(
    VALIDATOR is None and "CI" not in os.environ, reason="glslangValidator is not installed (apt install glslang-tools)"
)

# What OpenGL 4.3 promises on every device, and a device with more.
DEVICES = (
    Limits(16384, 32768, 1024, (1024, 1024, 64), (65535, 65535, 65535), 8, 16),
    Limits(32768, 49152, 1536, (1536, 1024, 64), (65535, 65535, 65535), 8, 32),
)
LENGTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384)

BUILT_IN_SNIPPETS = tuple(
    (name, getattr(snippets, name)())
    for name in sorted(vars(snippets))
    if name.endswith(("_load", "_store")) or name.startswith("multiply_")
)

SPECTRUM_UNITS: Mapping[str, Define] = {"SPECTRUM_UNIT": 0, "COLOUR_UNIT": 3, "IMAGE_UNIT": 0}

OCEAN_IMAGE_UNITS: Mapping[str, Define] = {f"IMAGE_UNIT_{index}": index + 1 for index in range(7)}

OCEAN_BUFFERS: Mapping[str, Define] = {
    "POINTS_BINDING": 6,
    "ANSWERS_BINDING": 7,
}

OFDM: Mapping[str, Define] = {"SYMBOLS": 44, "SHOWN": 22, "SPECTRA_UNIT": 0, "TARGET_UNIT": 1}
PEAK: Mapping[str, Define] = {"THREADS": 256, "TEXTURE_UNIT": 9, "PARTS_BINDING": 6, "PICTURE_SIZE": "ivec2(9, 8)"}
MATCH: Mapping[str, Define] = {"TEXTURE_UNIT": 9, "IMAGE_UNIT": 7}
WINDOWS: Mapping[str, Define] = {"GROUP_X": 8, "GROUP_Y": 8, "IMAGE_UNIT": 7, "RUN": 32}
OCEAN_PICTURE: Mapping[str, Define] = {"GROUP": 8, "IMAGE_UNIT": 0, "LISTED": 0, "BLOCKS": 0}

# The constants entry points need to stand alone; each set is one variant. Transforms are covered by their plans.
VARIANTS: Mapping[str, tuple[Mapping[str, Define], ...]] = {
    "convolution/peak_parts.comp": (PEAK,),
    "convolution/peak.comp": tuple({**PEAK, "PEAK_BINDING": 7, "PARTS": 3, "PERIODIC": each} for each in (0, 1)),
    "convolution/template.comp": ({"THREADS": 256, "ENERGY_BINDING": 5, "TEMPLATE_SIZE": "ivec2(5, 3)", **MATCH},),
    "convolution/window_rows.comp": ({"PICTURE_UNIT": 9, "PICTURE_SIZE": "ivec2(9, 8)", "WINDOW": 5, **WINDOWS},),
    "convolution/window_columns.comp": (
        {
            "SPREAD_UNIT": 9,
            "PRODUCTS_UNIT": 8,
            "ENERGY_BINDING": 5,
            "SPREAD_SIZE": "ivec2(5, 8)",
            "WINDOW": "ivec2(5, 3)",
            **WINDOWS,
        },
    ),
    "interop/texels.comp": tuple(
        {
            "TO_TEXTURE": to_texture,
            "TEXEL_BYTES": texel_bytes,
            "FORMAT": form,
            "IMAGE": image,
            "PLACE": place,
            "IMAGE_UNIT": 7,
            "BUFFER_BINDING": 6,
        }
        for to_texture in (0, 1)
        for texel_bytes, form in ((1, "r8ui"), (2, "r16ui"), (4, "r32ui"), (8, "rg32ui"), (16, "rgba32ui"))
        for image, place in (("uimage2D", "ivec2"), ("uimage2DArray", "ivec3"))
    ),
    "overlay/copy.comp": tuple({"SOURCE_UNIT": 1, "TARGET_UNIT": 0, "FILL": fill} for fill in (0, 1)),
    "profiling/busy.comp": ({"BUSY_BINDING": BUSY_BUFFER_BINDING},),
    "papers/empty.comp": ({"THREADS": 64},),
    "ocean/water.vert": tuple({"CELLS": 64, "SLIVERS": bounded} for bounded in (0, 1)),
    "ocean/still.frag": tuple({"SLIVERS": bounded} for bounded in (0, 1)),
    "ocean/mesh.comp": tuple(
        {"CELLS": 32, "TILES": tiles, "GROUP": 64, "PLACES": 0, "IMAGE_UNIT": 0} for tiles in (1, 6)
    ),
    "ocean/shading.comp": (
        {**OCEAN_PICTURE, "SAMPLES": 1, **shading_defines(1)},
        {**OCEAN_PICTURE, "SAMPLES": 4, **shading_defines(6, taps=8)},
        {
            **OCEAN_PICTURE,
            "LISTED": 1,
            "SAMPLES": 4,
            **shading_defines(3, plain=True, sand=False, below=False, aloft=False),
        },
    ),
    "ocean/blocks.comp": tuple({"GROUP": 8, "SAMPLES": samples, "WATER": 0, "SKY": 1} for samples in (1, 4)),
    "ocean/spray.vert": tuple({"TILES": tiles, "SIDE": 96, "CELL": 0.6, "WIDER": 3.0} for tiles in (1, 3)),
    "ocean/spray.frag": tuple({"SAMPLES": samples} for samples in (1, 4)),
    "ocean/buoy_image.frag": tuple({"TILES": tiles, "SAMPLES": samples} for tiles, samples in ((1, 1), (3, 4))),
    "ocean/solids.comp": tuple({**OCEAN_PICTURE, "SAMPLES": samples} for samples in (1, 4)),
    "ocean/background.comp": tuple(
        {**OCEAN_PICTURE, "SAMPLES": samples, "FROM_ENVIRONMENT": coarse, "SAND": sand, "BELOW": below, "TILES": tiles}
        for samples, coarse, sand, below, tiles in ((1, 1, 0, 0, 3), (4, 0, 1, 1, 3), (4, 1, 1, 0, 3), (4, 0, 0, 1, 1))
    ),
    "ocean/caustics.comp": tuple({"TILES": tiles, "SIDE": 128, "AROUND": 2, "IMAGE_UNIT": 0} for tiles in (1, 6)),
    "ocean/lens_depths.comp": tuple({"TILES": tiles, "IMAGE_UNIT": 0, "SIDE": 8} for tiles in (1, 6)),
    "ocean/foam_pattern.frag": ({"STEEPEST": 64.0},),
    "sea/slope_maps.comp": tuple(
        {"TEXTURE_UNIT": 11, "SIDE": 4, "MADE": made, "LEVELS": levels, **OCEAN_IMAGE_UNITS}
        for made, levels in ((64, 3), (45, 1), (90, 2))
    ),
    "sea/odd_maps.comp": tuple(
        {"TEXTURE_UNIT": 11, "SIDE": side, "FROM": 1, "FINE": fine, "LEVELS": levels, **OCEAN_IMAGE_UNITS}
        for fine, side, levels in ((65, 16, 1), (63, 31, 5))
    ),
    "sea/foam_maps.comp": tuple(
        {"TEXTURE_UNIT": 11, "FOAM_UNIT": 12, "SIDE": 4, "MADE": 64, "LEVELS": 3, "TILES": tiles, **OCEAN_IMAGE_UNITS}
        for tiles in (1, 3)
    ),
    "sea/morph.comp": ({**{f"TEXTURE_UNIT_{index}": 9 + index for index in range(4)}, "IMAGE_UNIT": 1, "SIZE": 64},),
    "sea/queries.comp": tuple(
        {"TILES": 6, "PARTS": 3, "VELOCITY": flow, "RISE": rise, "BLENDED": both, "POLYNOMIAL": fine, **OCEAN_BUFFERS}
        for flow, rise, both, fine in ((-1, -1, 0, 1), (6, 6, 1, 1), (6, 12, 0, 1), (-1, -1, 1, 0))
    ),
    "sea/coarse_maps.comp": tuple(
        {"TEXTURE_UNIT": 11, "FROM": 3, "LEVELS": levels, "SIDE": 2 ** (levels - 1), "MADE": 64, **OCEAN_IMAGE_UNITS}
        for levels in range(1, 7)
    ),
    "ofdm/pilots.comp": ({**OFDM, "SIGNS_UNIT": 2, "PILOTS_UNIT": 3, "INVOCATIONS": 32},),
    "ofdm/estimate.comp": ({**OFDM, "PILOTS_UNIT": 3, "SMOOTHING_UNIT": 4, "INVOCATIONS": 32},),
    "ofdm/demap.comp": ({**OFDM, "INVOCATIONS": 64},),
    "channelizer/synthesis.comp": (
        {
            "THREADS": 64,
            "GROUPS_ACROSS": 8,
            "CHANNELS": 10,
            "DECIMATION": 7,
            "TIMES": 20,
            "TAPS": 3,
            "WAVES_BINDING": 0,
            "HISTORY_BINDING": 1,
            "PROTOTYPE_BINDING": 2,
            "SAMPLES_BINDING": 3,
        },
    ),
    "spectrum/panel.frag": ({"TEXTURE_UNIT": 0, "MASK_UNIT": 1},),
    "spectrum/masked.comp": ({"SPECTRUM_UNIT": 0, "MASK_UNIT": 1, "IMAGE_UNIT": 0},),
    "spectrum/restored.comp": tuple({"PLANES": planes, "PLANE_UNIT": 0, "IMAGE_UNIT": 0} for planes in (1, 3)),
    "glare/kernel.comp": ({"KERNEL": 63, "SIDE": 256, "WAVES": 48, "POWER_UNIT": 0, "WAVES_UNIT": 1, "IMAGE_UNIT": 0},),
    "glare/normalize.comp": ({"KERNEL": 63, "KERNEL_UNIT": 0, "CORE_UNIT": 1},),
    "glare/split.comp": ({"PICTURE_UNIT": 0, "IMAGE_UNIT": 0},),
    "glare/merge.comp": tuple(
        {"SMOOTH": smooth, "PICTURE_UNIT": 0, "SPREAD_UNIT": 1, "CORE_UNIT": 2, "RECEIVED_UNIT": 3, "IMAGE_UNIT": 0}
        for smooth in (0, 1)
    ),
    "bloom/develop.frag": tuple({"FILMIC": filmic} for filmic in (0, 1)),
    "spectrum/display.comp": tuple(
        {"VIEW": view, "LOGARITHM": logarithm, "EXPONENT": 0.5, "CYCLIC": cyclic, "PLANES": planes, **SPECTRUM_UNITS}
        for view, logarithm, cyclic, planes in itertools.product(
            ("VIEW_TONE", "VIEW_PHASE", "VIEW_COMPLEX"), (False, True), (False, True), (1, 3)
        )
    ),
}


def transform_sources() -> Iterator[tuple[str, str]]:
    """Name and text of every source of every algorithm, over devices, axes, lengths, directions and twiddles.

    Devices, directions, and factors from a table or computed, go in turn: any two of them and of length and axis meet.
    """
    for algorithm, axis, (index, length) in itertools.product(ALGORITHMS, (0, 1), enumerate(LENGTHS)):
        shape = (3, length) if axis == 1 else (length, 3)
        direction = (FORWARD, INVERSE)[(index + axis) % 2]
        limits = DEVICES[(index // 2 + axis) % 2]
        twiddles = ("table", "computed")[(index // 4 + axis) % 2]
        try:
            passes = plan_passes(
                PlanRequest.of(shape, (axis,), algorithm, "ortho", twiddles), direction, Device(limits)
            )
        except LimitError:
            continue
        for each in passes:
            yield (
                f"{algorithm}-{length}-axis{axis}-{'inverse' if direction == INVERSE else 'forward'}",
                each.source.text,
            )
            if direction == FORWARD:
                yield f"{algorithm}-{length}-axis{axis}-either", in_either_direction(each).source.text


def storage_sources() -> Iterator[tuple[str, str]]:
    """Name and text of every algorithm on storages, plain and with built-in snippets: any two of the three meet."""
    kinds = [((8, 1), algorithm) for algorithm in ALGORITHMS]
    kinds += [((2, 8, 3), "auto")]
    for (one, storage), (two, (shape, algorithm)), (three, (given, snippet)) in itertools.product(
        enumerate(STORAGES.values()), enumerate(kinds), enumerate([("plain", None), *BUILT_IN_SNIPPETS])
    ):
        if (one + two + three) % 3:
            continue
        # With and without layers in turn, so that both meet every storage, algorithm and snippet.
        layers = (None, 3)[(one + two + three) % 2]
        if len(shape) == 3 and not storage.buffer:
            layers = None
        several_volumes = len(shape) == 3 and layers is not None
        if "real_pair" in given and (storage.paired or several_volumes):
            continue
        if algorithm in PING_PONG and storage.double:
            continue
        wanted = PlanRequest.of(
            shape,
            (-2,),
            algorithm,
            "ortho",
            layers=layers,
            storage=storage,
            load=snippet if given.endswith("load") else None,
            store=snippet if given.endswith("store") else None,
            multiply=snippet if given.startswith("multiply") else None,
        )
        for each in plan_passes(wanted, FORWARD if wanted.multiply is None else CONVOLVE, Device(DEVICES[0])):
            yield f"{algorithm}-{storage.name}-{layers}-{given}", each.source.text


def picture_sources() -> Iterator[tuple[str, str]]:
    """Name and text of transforms and convolutions of square pictures, of one stage and two, whole and in turn."""
    for (one, storage), (two, length), (three, limits) in itertools.product(
        enumerate(STORAGES), enumerate((5, 32, 48, 64, 90)), enumerate(DEVICES)
    ):
        # In turn: both meet every storage, length and device.
        direction = (FORWARD, CONVOLVE)[(one + two + three) % 2]
        wanted = PlanRequest.of(
            (length, length), algorithm=StockhamPicture.name, storage=storage, multiply=Snippet(PRODUCT)
        )
        for each in plan_passes(wanted, direction, Device(limits)):
            yield f"picture-{length}-{storage}-{direction}", each.source.text


def kernel_sources() -> Iterator[tuple[str, str]]:
    """Name and text of a sample of Stockham kernels, heavier ones than the tests that run them have."""
    sample = kernels(DEVICES[0], [2**exponent for exponent in range(1, 13)] * 6, seed=2, heaviest=1024)
    for index, (kernel, storage) in enumerate(sample):
        wanted = request(DEVICES[0], kernel, storage, axis=index % 2, lines=5, layers=(None, 3)[index // 2 % 2])
        # Half of the kernels of each length are as they are, half as what plans make of them.
        if index // 12 % 2:
            yield f"kernel-{kernel.length}-{storage.name}", kernel_pass(wanted, kernel).source.text
        else:
            kind = KINDS[index % len(KINDS)]
            yield f"kernel-{kernel.length}-{storage.name}-{kind}", pass_of_kind(kind, wanted, kernel).source.text


def rader_sources() -> Iterator[tuple[str, str]]:
    """Name and text of Rader's convolutions, over storages, lengths and ways of loading; the kernels go in turn."""
    cases = itertools.product(STORAGES.values(), (37, 74, 303, 1234), (False, True))
    for index, (storage, length, dealt) in enumerate(cases):
        axis, device = index // 2 % 2, Device(DEVICES[index // 4 % 2], ("llvmpipe", "a GPU")[index // 8 % 2])
        options = {"storage": storage, "computed_twiddles": index % 5 == 0 and not storage.double}
        shape = (3, length) if axis == 1 else (length, 3)
        wanted = axis_request(shape, axis, device=device, direction=(-1, 1)[index // 16 % 2], **options)
        tried = (replace(each, dealt=dealt) for each in Rader().candidates(wanted, 12))
        fitting = [each for each in tried if Rader().fits(each, wanted)]
        if not fitting:  # a CPU would compile it for seconds
            continue
        (each,) = Rader().passes(wanted, fitting[index % len(fitting)])
        yield f"rader-{length}-{storage.name}", each.source.text
        yield f"rader-{length}-{storage.name}-either", in_either_direction(each).source.text


def llvmpipe_sources() -> Iterator[tuple[str, str]]:
    """Name and text of passes that exchange points through a buffer, over storages, with doubles stored and without."""
    limits = replace(DEVICES[0], image_units=32)
    cases = itertools.product(("rg32f", "rgba32f", "rg16f", "buffer"), (False, True), ((40, 96), (3, 1000)))
    for (storage, real, shape), avx512 in itertools.product(cases, (False, True)):
        device = Device(limits, "llvmpipe (LLVM 15.0.6, 256 bits)", avx512=avx512)
        wanted = PlanRequest.of(shape, storage=STORAGES[storage], real=real)
        for index, each in enumerate(plan_passes(wanted, FORWARD, device)):
            yield f"llvmpipe-{storage}-{real}-{shape}-{avx512}-{index}", each.source.text


def long_line_sources() -> Iterator[tuple[str, str]]:
    """Name and text of passes over lines in parts and in scratch, over storages, axes, layers and kinds of pictures."""
    device = Device(replace(DEVICES[0], shared_memory=160))
    for index, (storage, length) in enumerate(itertools.product(STORAGES, (37, 8 * 17, 1009, 2048))):
        axis, layers = index // 4 % 2, (None, 3)[index // 8 % 2]
        shape = (3, length) if axis == 1 else (length, 3)
        real, twiddles = index % 3 == 0, ("table", "computed")[index % 5 == 1 and not STORAGES[storage].double]
        wanted = PlanRequest.of(shape, (axis,), twiddles=twiddles, layers=layers, storage=STORAGES[storage], real=real)
        for each in (*plan_passes(wanted, FORWARD, device), *plan_passes(wanted, INVERSE, device)):
            yield f"long-{storage}-{shape}-{layers}", each.source.text
    for direction, twiddles, layers in itertools.product((FORWARD, INVERSE), ("table", "computed"), (None, 2)):
        wanted = PlanRequest.of((3, 2048), (1,), twiddles=twiddles, layers=layers, storage="buffer", real=True)
        for each in plan_passes(wanted, direction, device):
            assert each.request.of_halves
            yield f"long-halves-{twiddles}-{layers}", each.source.text
    for axis, storage in itertools.product((0, 1, 2), ("rg32f", "buffer_pairs")):
        shape = tuple(37 if each == axis else 4 for each in range(3))
        for each in plan_passes(PlanRequest.of(shape, (axis,), storage=STORAGES[storage]), FORWARD, device):
            yield f"long-{storage}-{shape}", each.source.text


def region_sources() -> Iterator[tuple[str, str]]:
    """Name and text of passes between regions, over ranks, storages, layers, what lies outside, and snippets."""
    load, store = (
        "value load(ivec3 at) { return read_source(at); }",
        "void store(ivec3 at, value v) { write_target(at, v); }",
    )
    cases = itertools.product((2, 3), STORAGES, (False, True), (False, True))
    for index, (rank, storage, real, snippets_given) in enumerate(cases):
        layers = (None, 3)[index // 2 % 2] if rank == 2 or STORAGES[storage].buffer else None
        wanted = PlanRequest.of(
            (8, 12, 30)[-rank:],
            (((0, 1), (1,), (0,))[index % 3]) if rank == 2 else (0, 2),
            layers=layers,
            storage=storage,
            real=real,
            load=load if snippets_given else None,
            store=store if snippets_given else None,
            multiply=PRODUCT,
            source_region=(slice(2, 5), slice(1, 9), slice(3, 20))[-rank:],
            target_region=(slice(0, 6), slice(4, 12), slice(5, 25))[-rank:],
            boundary=BOUNDARIES[index % 4],
        )
        # A convolution has passes of both directions; one of them alone in turn, as each has passes of its own too.
        alone = (FORWARD, INVERSE)[(real + snippets_given + index // 4) % 2]
        for direction in (CONVOLVE, alone):
            for each in plan_passes(wanted, direction, Device(DEVICES[0])):
                yield f"region-{rank}-{storage}-{layers}-{wanted.boundary}", each.source.text


def real_and_convolving_sources() -> Iterator[tuple[str, str]]:
    """Name and text of real plans' passes and of convolutions, over devices, axes, lengths, storages and layers.

    One of the devices has so little shared memory that lines go in parts.
    """
    limits, parted = DEVICES[0], replace(DEVICES[0], shared_memory=512)
    # Devices, axes and real pictures in turn: any two of them and of algorithm and length meet. So do layers below, and
    # real pictures; each algorithm has every second storage. A convolution has passes of both directions; of these
    # alone, which have passes of their own too, there is one in turn.
    every = [
        (
            (limits, parted)[(one + two // 2) % 2],
            algorithm,
            (5, length) if (one + two) % 2 else (length, 5),
            ((one + two) % 2,),
            "rg32f",
            None,
            (one // 2 + two) % 2 == 1,
            (FORWARD, INVERSE)[(one // 4 + two // 2) % 2],
        )
        for (one, algorithm), (two, length) in itertools.product(enumerate(ALGORITHMS), enumerate((1, 2, 8, 256, 4096)))
    ]
    every += [
        (
            limits,
            algorithm,
            (16, 8),
            (0, 1),
            storage,
            (None, 3)[(one // 2 + two // 2) % 2],
            (one // 4 + two // 4) % 2 == 1,
            (FORWARD, INVERSE)[(one // 4 + two // 2) % 2],
        )
        for (one, algorithm), (two, storage) in itertools.product(enumerate(ALGORITHMS), enumerate(STORAGES))
        if (one + two) % 2 == 0
    ]
    for device, algorithm, shape, axes, storage, layers, real, alone in every:
        wanted = PlanRequest.of(
            shape,
            axes,
            algorithm,
            "ortho",
            layers=layers,
            storage=STORAGES[storage],
            multiply=Snippet(PRODUCT),
            real=real,
        )
        try:
            passes = [
                each for direction in (CONVOLVE, alone) for each in plan_passes(wanted, direction, Device(device))
            ]
        except LimitError:
            continue
        # Passes that differ by their uniforms have one text.
        for each in {replace(each, uniforms=()) for each in passes}:
            yield f"{algorithm}-{shape}-{axes}-{storage}-{layers}-{'real' if real else 'complex'}", each.source.text


def linear_convolution_sources() -> Iterator[tuple[str, str]]:
    """Name and text of passes of `glfft.Convolution`, over borders, storages and layers, and of its kin."""
    device = Device(DEVICES[0])
    # With and without layers in turn, so that both meet every border and storage.
    for (one, boundary), (two, (name, held)) in itertools.product(
        enumerate(BOUNDARIES), enumerate(convolution.STORED_AS.items())
    ):
        layers = (None, 3)[(one + two) % 2]
        storage, real, channels = held
        regions = [axis_region(length, 4, "same", boundary) for length in (9, 14)]
        factor = "convolution/multiply_by_layers" if layers else "snippets/multiply_by_texture"
        kernel = {"KERNEL_SIZE": "ivec2(4, 4)", "KERNEL_MIDDLE": "ivec2(1, 1)", "FLIP": one // 2, "COMPLEX": two % 2}
        asked = [
            PlanRequest.of(
                (16, 20),
                layers=layers,
                storage=STORAGES[storage],
                real=real,
                load=pictures.snippet("convolution/picture_load", PICTURE_FIRST="ivec2(2, 1)", CHANNELS=channels),
                store=pictures.snippet("convolution/result_store", RESULT_FIRST="ivec2(3, 2)", CHANNELS=channels),
                source_region=[region.picture for region in regions],
                target_region=[region.result for region in regions],
                boundary=boundary,
                multiply=pictures.snippet(factor),
            ),
            PlanRequest.of(
                (16, 20),
                layers=layers,
                real=real,
                load=pictures.snippet("convolution/kernel_load", **kernel),
                source_region=[slice(0, 4)] * 2,
            ),
        ]
        for wanted, direction in ((asked[0], CONVOLVE), (asked[1], FORWARD)):
            for each in plan_passes(wanted, direction, device):
                yield f"{boundary}-{name}-{layers}", each.source.text
    for window in (0, 1):
        load = pictures.snippet("convolution/phase_load", WINDOW=window, FOUND_BINDING=0)
        weight = {"LEAVE_OUT": window, "WEIGHT_WIDTH": 0.2, "WEIGHT_SCALE": 1e-05}
        product = pictures.snippet("convolution/phase_product", **weight)
        wanted = PlanRequest.of((9, 14), real=True, load=load, multiply=product)
        for direction in (FORWARD, CONVOLVE):
            for each in plan_passes(wanted, direction, device):
                yield f"phase-{window}", each.source.text
    for boundary, (name, (storage, real, channels)) in itertools.product(
        range(4), list(convolution.STORED_AS.items())[::2]
    ):
        picture = {"PICTURE_SIZE": "ivec2(14, 9)", "PICTURE_BOUNDARY": boundary, "REPEATS": 3, "CHANNELS": channels}
        estimate = pictures.snippet("convolution/estimate_load", CHANNELS=channels)
        last = {"PICTURE_SIZE": "ivec2(14, 9)", "CHANNELS": channels}
        for load, product, store in (
            (pictures.snippet("convolution/extended_load", **picture), "convolution/wiener_product", None),
            (estimate, convolution.PRODUCT[False], pictures.snippet("convolution/ratio_store", **picture)),
            (estimate, "convolution/adjoint_product", pictures.snippet("convolution/estimate_store", **last)),
        ):
            multiply = pictures.snippet(product)
            stored = {"storage": STORAGES[storage], "real": real}
            wanted = PlanRequest.of((16, 20), load=load, multiply=multiply, store=store, **stored)
            for each in plan_passes(wanted, CONVOLVE, device):
                yield f"deconvolution-{boundary}-{name}", each.source.text
    power = pictures.snippet("glare/power_store", SIDE=24)
    for each in plan_passes(PlanRequest.of((24, 24), real=True, store=power), FORWARD, device):
        yield "power", each.source.text


def kind_sources() -> Iterator[tuple[str, str]]:
    """Name and text of the passes of cosine and sine transforms, over storages, shapes, algorithms and long lines."""
    cases = [
        (kind, shape, axes, "auto", "rg32f")
        for kind in TRIGONOMETRIC
        for shape, axes in (((8, 18), (0, 1)), ((17, 3), (0,)))
    ]
    cases += [(kind, (4, 8), (0, 1), "cooley-tukey", "buffer") for kind in ("dct2", "dct3", "dct4", "dst4")]
    cases += [("dst2", (6, 5), (0, 1), "auto", storage) for storage in STORAGES]
    cases += [(kind, (3, 4, 5), (0, 1, 2), "auto", "buffer_pairs") for kind in ("dct4", "dst3")]
    cases += [(kind, (1, 4097), (1,), "auto", "buffer") for kind in TRIGONOMETRIC]
    # Orthogonal ones in turn: each kind and each shape has both.
    for index, (kind, shape, axes, algorithm, storage) in enumerate(cases):
        orthogonalize = (index + index // 2) % 2 == 1
        wanted = PlanRequest.of(
            shape,
            axes,
            algorithm,
            "ortho",
            storage=STORAGES[storage],
            kind=TRIGONOMETRIC[kind],
            orthogonalize=orthogonalize,
        )
        for direction in wanted.directions:
            for each in plan_passes(wanted, direction, Device(DEVICES[0])):
                yield f"{kind}-{algorithm}-{storage}", replace(each, uniforms=()).source.text


def word_group_sources() -> Iterator[tuple[str, str]]:
    """Name and text of every schedule of the algorithms for study, over places of the twiddles and kinds of values."""
    # In float64, GLSL has no sine to compute factors with.
    kinds = [("rg32f", False), ("rg32f", True), ("rgba32f", False), ("buffer_double", False)]
    for family, (turn, (storage, computed)) in itertools.product(WORD_GROUP_FAMILIES, enumerate(kinds)):
        # Whole epochs.
        shape, direction = (3, 256 if family.words == 16 else 64), -1 if computed else +1
        wanted = AxisRequest(shape, 1, direction, 1.0, computed, None, STORAGES[storage], Device(DEVICES[0]))
        for part in family.parts(wanted):
            unbalanced = WordGroupConfig(family.words, "shared", "arrays", balanced=False)
            configs = [*family.candidates(part, 100), *[unbalanced] * family.fits(unbalanced, part)]
            for config in configs[turn::4]:
                (spec,) = family.passes(part, config)
                yield f"{family.name}-{storage}", spec.source.text
            (last,) = family.passes(part, configs[-1])
            yield f"{family.name}-{storage}-bit-reversed", in_bit_reversed_order(last).source.text
    few = replace(DEVICES[0], invocations=16)
    for family, axis, storage in itertools.product(GLOBAL_LOCAL_FAMILIES, (0, 1), STORAGES.values()):
        wanted = AxisRequest((64, 64), axis, -1, 1.0, False, None, storage, Device(few))
        for spec in family.passes(wanted, None):
            yield f"{family.name}-{storage.name}", spec.source.text
    sets = itertools.product(BUTTERFLY_SET_FAMILIES, (8, 64, 512), (0, 1), STORAGES.values())
    for index, (family, length, axis, storage) in enumerate(sets):
        shape, computed = ((3, length) if axis else (length, 3)), not storage.double and index % 3 == 0
        wanted = AxisRequest(shape, axis, (-1, +1)[index % 2], 1.0, computed, None, storage, Device(DEVICES[0]))
        for spec in [] if family.supports(wanted) else family.passes(wanted, None):
            yield f"{family.name}-{length}-{storage.name}", spec.source.text


def four_by_four_sources() -> Iterator[tuple[str, str]]:
    """Name and text of every combination of del Mundo's optimisations, over storages, axes and kinds of ends."""
    family = FourByFour()
    snippet = snippets.shift_store().generated("store") + snippets.shift_load().generated("load")
    storages = [STORAGES[name] for name in ("rg32f", "buffer", "buffer_pairs")]
    for index, ((turn, storage), config) in enumerate(itertools.product(enumerate(storages), every_config())):
        axis, computed = (index + turn) % 2, config.twiddles == "computed"
        wanted = AxisRequest((16, 16), axis, -1, 1.0, computed, None, storage, Device(DEVICES[0]), family.name)
        # Where factors are has nothing to do with accesses.
        alone = config.width == storage.components and not config.unrolled
        if family.fits(config, wanted) and (config.twiddles == "literal" or alone):
            (spec,) = family.passes(wanted, config)
            kinds = ({}, {"writes": Points.HERMITIAN}, {"reads": Points.REAL}, {"snippets": snippet})
            yield f"{family.name}-{storage.name}", replace(spec, **kinds[(index + index // 4) % 4]).source.text
    wanted = AxisRequest((32, 16), 1, -1, 1.0, False, None, STORAGES["buffer"], Device(DEVICES[0]), family.name)
    for config in every_config(("groups", "planar")):
        if family.can_run(config, wanted) and config.twiddles == "literal" and not config.unrolled:
            yield f"{family.name}-{config.layout}", family.passes(wanted, config)[0].source.text


def ocean_sources() -> Iterator[tuple[str, str]]:
    """Name and text of every pass of the ocean step, over algorithms and counts of tiles."""
    for algorithm, tiles in itertools.product(ALGORITHMS, (1, 3)):
        for role, shape, axis, parts in (("waves", (64, 32), 0, 3), ("fields", (64, 64), 1, 2)):
            load, store = (Snippet(f'#include "sea/{role}_{end}.glsl"\n') for end in ("load", "store"))
            wanted = PlanRequest.of(
                shape,
                (axis,),
                algorithm,
                "forward",
                layers=parts * tiles,
                storage=STORAGES["rgba32f"],
                load=load,
                store=store,
            )
            for each in plan_passes(wanted, INVERSE, Device(DEVICES[0])):
                yield f"ocean-{role}-{algorithm}-{tiles}", each.source.text
            sizes = {"ROWS": shape[0], "COLUMNS": shape[1], "LAYERS": parts * tiles, "PAIRED": 1, "GROUP": 8}
            for end, snippet, unit in (("load", load, "TARGET_UNIT"), ("store", store, "SOURCE_UNIT")):
                text = assemble(f"sea/{end}_alone.comp", {**sizes, unit: 7}, dict(snippet.generated(end))).text
                yield f"ocean-{role}-{end}-alone-{tiles}", text


def ofdm_sources() -> Iterator[tuple[str, str]]:
    """Name and text of the transforms that load samples of every width."""
    for (one, width), (two, algorithm) in itertools.product(
        enumerate((FLOAT32, FLOAT16, FIXED8)), enumerate((*ALGORITHMS, "radix-8"))
    ):
        # Each number of symbols meets every width and algorithm.
        load, symbols = Width(width).load(), (22, 44, 66)[(one + two) % 3]
        wanted = PlanRequest.of((symbols, 512), (1,), algorithm, "forward", storage=STORAGES["buffer"], load=load)
        for each in plan_passes(wanted, FORWARD, Device(DEVICES[0])):
            yield f"ofdm-{width}-{algorithm}", each.source.text
    for width, name in itertools.product(
        (FLOAT32, FLOAT16, FIXED8), (*(family.name for family in BUTTERFLY_SET_FAMILIES), None)
    ):
        yield f"sampled-{width}-{name}", sampled_pass(Device(DEVICES[0]), width, name, 8, "computed").source.text


def channelizer_sources() -> Iterator[tuple[str, str]]:
    """Name and text of both directions of the channelizer, over counts of channels and kinds of samples."""
    bindings = "".join(
        f"#define {name}_BINDING {binding}\n"
        for binding, name in enumerate(("SAMPLES", "HISTORY", "PROTOTYPE", "CHANNELS", "MAP"))
    )
    kinds = ("FLOAT_32", "SIGNED_16", "SIGNED_8", "UNSIGNED_8")
    roles = {
        "analysis": ("analysis_load", "analysis_store"),
        "synthesis": ("synthesis_load", "synthesis_store"),
        "staggered-analysis": ("analysis_load", "staggered_store"),
        "staggered-synthesis": ("staggered_load", "synthesis_store"),
    }
    for channels, kind in itertools.product((2, 3, 8, 12, 17, 64, 100, 4099, 16384), kinds):
        for role, names in roles.items():
            if role.startswith("staggered") and (channels % 2 or kind != kinds[0]):
                continue
            defines = f"#define SAMPLES {kind}\n" if role.endswith("analysis") else "#define WAVES_BINDING 0\n"
            head = f"{bindings}{defines}#define HISTORY 40\n#define TAPS 5\n#define DECIMATION 7\n"
            load, store = (
                Snippet(f'{text}#include "channelizer/{name}.glsl"\n')
                for text, name in zip((head, bindings + defines), names, strict=True)
            )
            wanted = PlanRequest.of(
                (channels, 24), (0,), norm="forward", storage=STORAGES["buffer"], load=load, store=store
            )
            for each in plan_passes(wanted, INVERSE, Device(DEVICES[0])):
                yield f"channelizer-{role}-{channels}-{kind}", each.source.text


def tuning_sources() -> Iterator[tuple[str, str]]:
    """Name and text of the kernels tuning may pick, over devices, storages and lengths, and of its checks."""
    for index, (renderer, storage) in enumerate(itertools.product(("llvmpipe", "NVIDIA", ""), STORAGES.values())):
        # Half of the lengths in turn: all meet every device, storage and axis.
        for length in (8, 64, 512, 4096)[(index // 7 + index % 7 // 2) % 2 :: 2]:
            device = Device(DEVICES[renderer == "NVIDIA"], renderer)
            kind = (index % 2, -1, 1.0, False, (None, 3)[index // 2 % 2], storage, device)
            wanted = AxisRequest((5, length) if index % 2 else (length, 5), *kind)
            found = candidates(wanted, 24)
            for kernel in (*found[:3], *neighbours(found[-1], wanted)[index % 6 :: 6]):
                yield f"candidate-{length}-{storage.name}", kernel_pass(wanted, kernel).source.text
    for storage, layers in itertools.product(STORAGES.values(), (None, 3)):
        wanted = AxisRequest((5, 8), 1, -1, 1.0, False, layers, storage, Device(DEVICES[0]))
        for shader in ("tuning/noise.comp", "tuning/fingerprint.comp"):
            defines = {"GROUP": 8, "SEED": 1, "SLICES": 3, "SUMMANDS": 256, "SUMS_BINDING": SUMS_BUFFER_BINDING}
            name = f"{shader.replace('/', '-')}-{storage.name}-{layers}"
            yield name, PassSpec(shader, wanted, tuple(defines.items()), (1, 1, 1), 64).source.text


def entry_points() -> Iterator[str]:
    """Paths of all entry points but those that need a plan's texts or a snippet."""
    rooms = {entry.name for entry in SHADERS.iterdir() if entry.is_dir()} - {"fft", "tuning"}
    for room in sorted(rooms):
        for file in sorted(entry.name for entry in (SHADERS / room).iterdir()):
            if file.endswith((".comp", ".vert", ".frag")) and not file.endswith("_alone.comp"):
                yield f"{room}/{file}"


def faults(folder: Path, sources: Mapping[str, str]) -> list[str]:
    """What the reference compiler finds wrong, by source."""
    assert VALIDATOR is not None, "CI is to have glslangValidator"
    for name, text in sources.items():
        (folder / name).write_text(text)
    command = [VALIDATOR, *sources]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return []
    found, name = [], ""
    for line in done.stdout.splitlines():
        if line in sources:
            name = line
        elif re.match(r"ERROR: \d+:(\d+):", line):
            found.append(f"{name}: {line}")
    return found or [done.stdout + done.stderr]


class Memory(dict[str, list[str]]):
    """What the tests use of pytest's cache."""

    def set(self, key: str, value: list[str]) -> None:
        self[key] = value


@functools.cache
def validator_version() -> str:
    """What the reference compiler says of itself: another version may judge otherwise."""
    assert VALIDATOR is not None, "CI is to have glslangValidator"
    return subprocess.run([VALIDATOR, "--version"], capture_output=True, text=True, check=True).stdout


def digest(name: str, text: str) -> str:
    """All that the compiler's verdict depends on: its version, the kind of shader, the text."""
    stage = name.rpartition(".")[2]
    return hashlib.blake2b("\0".join((validator_version(), stage, text)).encode(), digest_size=16).hexdigest()


def faults_of_new(folder: Path, sources: Mapping[str, str], cache: Memory | pytest.Cache | None, key: str) -> list[str]:
    """What the reference compiler finds wrong in sources it has not found valid in an earlier run of the tests.

    There are some 5000 sources, of which few change from one run to the next. pytest's cache remembers the valid ones
    under the key; `--cache-clear` has all of them compiled.
    """
    digests = {digest(name, text): name for name, text in sources.items()}
    valid: set[str] = set() if cache is None else set(cache.get(f"glslang/{key}", []))
    new = {name: sources[name] for each, name in digests.items() if each not in valid}
    found = faults(folder, new) if new else []
    if cache is not None and new and not found:
        cache.set(f"glslang/{key}", sorted(digests))
    return found


@pytest.fixture
def new_faults(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Mapping[str, str]], list[str]]:
    """`faults_of_new` with the cache of this run of pytest, which may have none."""
    cache: pytest.Cache | None = getattr(request.config, "cache", None)
    return lambda sources: faults_of_new(tmp_path, sources, cache, request.node.name)


def test_every_transform_is_valid(new_faults: Callable[[Mapping[str, str]], list[str]]) -> None:
    texts: dict[str, str] = {}
    for name, text in transform_sources():
        texts.setdefault(text, name)
    assert len(texts) > 100
    assert new_faults({f"{index}-{name}.comp": text for index, (text, name) in enumerate(texts.items())}) == []


@pytest.mark.parametrize(
    "sources_of",
    [
        storage_sources,
        kernel_sources,
        rader_sources,
        llvmpipe_sources,
        picture_sources,
        real_and_convolving_sources,
        linear_convolution_sources,
        kind_sources,
        long_line_sources,
        region_sources,
        word_group_sources,
        four_by_four_sources,
        ocean_sources,
        ofdm_sources,
        channelizer_sources,
        tuning_sources,
    ],
)
def test_every_storage_snippet_and_kernel_is_valid(
    sources_of: Callable[[], Iterator[tuple[str, str]]], new_faults: Callable[[Mapping[str, str]], list[str]]
) -> None:
    texts = {text: name for name, text in sources_of()}
    assert len(texts) > 50
    assert new_faults({f"{index}-{name}.comp": text for index, (text, name) in enumerate(texts.items())}) == []


def test_the_built_in_snippets_are_all_found() -> None:
    files = (SHADERS / "snippets").iterdir()
    written = {file.name.removesuffix(".glsl") for file in files} - {"load", "store", "magnitude", "shifted"}
    assert {name for name, _ in BUILT_IN_SNIPPETS} == written


def test_every_other_entry_point_is_valid(new_faults: Callable[[Mapping[str, str]], list[str]]) -> None:
    sources: dict[str, str] = {}
    for path in entry_points():
        for index, defines in enumerate(VARIANTS.get(path, ({},))):
            stem, suffix = path.replace("/", "-").rsplit(".", 1)
            sources[f"{stem}-{index}.{suffix}"] = assemble(path, defines).text
    assert len(sources) > 10
    assert new_faults(sources) == []


def test_the_variants_are_of_files_that_exist() -> None:
    assert set(VARIANTS) <= set(entry_points())


GOOD = "#version 430 core\nlayout(local_size_x = 1) in;\nvoid main() {}\n"
BAD = GOOD.replace("{}", "{ nope = 1; }")


def test_a_fault_is_found(tmp_path: Path) -> None:
    found = faults(tmp_path, {"good.comp": GOOD, "bad.comp": BAD})
    assert len(found) >= 1
    assert found[0].startswith("bad.comp: ERROR: 0:3:")


def test_what_was_found_valid_is_not_compiled_again_and_all_else_is(tmp_path: Path) -> None:
    memory = Memory()

    def compiled(folder: str, sources: Mapping[str, str]) -> tuple[list[str], set[str]]:
        (tmp_path / folder).mkdir()
        found = faults_of_new(tmp_path / folder, sources, memory, "key")
        return found, {file.name for file in (tmp_path / folder).iterdir()}

    assert compiled("first", {"good.comp": GOOD}) == ([], {"good.comp"})
    assert compiled("second", {"good.comp": GOOD}) == ([], set())
    # A fault is found in every run, and so is a shader of another kind.
    for folder in ("third", "fourth"):
        found, new = compiled(folder, {"good.comp": GOOD, "bad.comp": BAD})
        assert found[0].startswith("bad.comp: ERROR: 0:3:")
        assert new == {"bad.comp"}
    assert compiled("fifth", {"good.frag": GOOD})[1] == {"good.frag"}
    assert faults_of_new(tmp_path, {"good.comp": GOOD}, None, "key") == []
