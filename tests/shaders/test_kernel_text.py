"""The text of a kernel is short enough to be read, and holds nothing that its pass does not use."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support.kernel_text import KernelText, measured
from support.pictures import ALGORITHMS

from glfft import snippets
from glfft.algorithms.kinds import KINDS
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.storage import STORAGES
from glfft.engine.plan_passes import plan_passes
from glfft.engine.request import FORWARD, INVERSE, PlanRequest
from glfft.gl.device import Device, Limits
from glfft.gl.glsl import without_comments
from glfft.gl.source import assemble

DEVICE = Device(Limits(32768, 49152, 1536, (1536, 1024, 64), (65535, 65535, 65535), 8, 32), "NVIDIA")

# The most lines, files, constants and functions from `load_line` to the texel of any pass of a plan.
PLANS: dict[str, tuple[dict[str, Any], tuple[int, int, int, int]]] = {
    "radix 4": ({"algorithm": "stockham-radix4"}, (350, 10, 25, 3)),
    "of the default algorithm": ({}, (400, 12, 25, 3)),
    "in half precision, with layers": ({"storage": "rgba16f", "layers": 3}, (400, 13, 25, 3)),
    "in buffers": ({"storage": "buffer"}, (360, 10, 28, 3)),
    "in double precision": ({"storage": "buffer_double"}, (390, 12, 28, 3)),
    "real": ({"real": True}, (480, 16, 30, 3)),
    "with snippets": ({"load": snippets.shift_load(), "store": snippets.shift_store()}, (430, 16, 30, 4)),
    "of prime length": ({"shape": (107, 107)}, (470, 15, 32, 3)),
    "of prime length, by Rader": ({"shape": (251, 251)}, (640, 14, 39, 3)),
    "of cosines": ({"kind": "dct2", "storage": "buffer"}, (520, 15, 36, 3)),
    "of long lines": ({"shape": (1, 65536), "axes": (1,), "storage": "buffer", "quick": True}, (420, 12, 36, 4)),
    "of long lines by 16 x 16": ({"shape": (1, 65536), "axes": (1,), "storage": "buffer"}, (470, 13, 36, 4)),
    "of long real lines": ({"shape": (1, 65536), "axes": (1,), "storage": "buffer", "real": True}, (560, 16, 42, 5)),
    "of odd volumes": ({"shape": (64, 81, 64), "axes": (0, 1, 2)}, (470, 13, 34, 4)),
    "of volumes": ({"shape": (64, 64, 64), "axes": (0, 1, 2), "storage": "buffer"}, (410, 12, 34, 3)),
}


def passes(wanted: dict[str, Any]) -> list[PassSpec]:
    options = {"shape": (256, 256), "axes": (0, 1), "algorithm": "auto", **wanted}
    options["storage"] = STORAGES[options.get("storage", "rg32f")]
    if "kind" in options:
        options["kind"] = KINDS[options["kind"]]
    asked = PlanRequest(**options)
    return [spec for direction in (FORWARD, INVERSE) for spec in plan_passes(asked, direction, DEVICE)]


@pytest.mark.parametrize("plan", PLANS)
def test_a_kernel_is_short_enough_to_be_read(plan: str) -> None:
    wanted, (lines, files, defines, functions) = PLANS[plan]
    for spec in passes(wanted):
        text = measured(spec.source)
        assert text.lines <= lines
        assert text.files <= files
        assert text.defines <= defines
        assert text.functions_to_texel <= functions


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("plan", ["real", "in buffers", "of long lines", "of prime length"])
def test_a_kernel_has_no_branch_and_no_constant_that_it_does_not_take(plan: str, algorithm: str) -> None:
    wanted = {**PLANS[plan][0], "shape": (64, 32), "axes": (0, 1), "algorithm": algorithm}
    for spec in passes(wanted):
        text = without_comments(spec.source.text)
        assert measured(spec.source).conditionals == 0
        assert measured(spec.source).undefined == ()
        written = re.findall(r"^#define (\w+) ", text, re.MULTILINE)
        assert written
        for name in set(written) & spec.constants.keys():
            assert len(re.findall(rf"\b{name}\b", text)) > 1, f"{spec.shader} has {name}, which no line names"


def test_texts_are_counted() -> None:
    files = {
        "main.comp": '#include "load snippet"\n// #define X 1\n#undef A\nvoid load_line(int a) {\n    LOAD(a);\n}\n',
        "load snippet": "vec2 read(int a) {\n    return texelFetch(glfft_source, a).xy;\n}\n\n"
        "vec2 load_point(int a) {\n#if UNKNOWN\n    return read(a);\n#endif\n}\n",
    }
    counted = measured(assemble("main.comp", {"A": 1, "LOAD": "load_point", "B": 2}, files))
    assert counted == KernelText(lines=17, files=2, defines=2, conditionals=1, undefined=("A",), functions_to_texel=3)
