"""Passes as SPIR-V: valid for Vulkan, and without uniforms."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from support.requests import axis_request

from glfft.algorithms.stages import FAMILIES as STAGES
from glfft.algorithms.study.four_by_four import FourByFour, every_config
from glfft.engine import export
from glfft.errors import ShaderError

needs_compiler = pytest.mark.skipif(not export.can_compile(), reason="glslangValidator is not installed")


@needs_compiler
def test_a_module_is_valid_for_vulkan(tmp_path: Path) -> None:
    if shutil.which("spirv-val") is None:
        pytest.skip("spirv-val is not installed")
    for number, spec in enumerate(STAGES[0].passes(axis_request((1, 8)), None)):
        text = spec.source_with(spec.bindings.lowest).text
        with pytest.raises(ShaderError, match="non-opaque uniforms"):
            export.compiled(text)
        module = tmp_path / f"{number}.spv"
        module.write_bytes(export.compiled(export.with_constants(text, spec.uniforms)))
        subprocess.run(["spirv-val", "--target-env", export.SPIRV_ENVIRONMENT, module], check=True)


@needs_compiler
def test_an_array_of_uniforms_becomes_one_of_constants() -> None:
    family, wanted = FourByFour(), axis_request((16, 16))
    config = next(each for each in every_config() if each.twiddles == "argument" and family.fits(each, wanted))
    (spec,) = family.passes(wanted, config)
    text = export.with_constants(spec.source_with(spec.bindings.lowest).text, spec.uniforms)
    assert "const complex glfft_roots[10] = complex[10](" in text
    assert export.compiled(text)[:4] == b"\x03\x02\x23\x07"  # SPIR-V's magic number


def test_numbers_keep_their_types() -> None:
    text = "uniform int n;\nuniform float x;\nuniform int other;\n"
    constants = export.with_constants(text, [("n", 3), ("x", 1e-7), ("not_there", 1)])
    assert constants == "const int n = int(3);\nconst float x = float(1e-07);\nuniform int other;\n"


@needs_compiler
def test_what_the_compiler_refuses_is_an_error_in_one_line() -> None:
    with pytest.raises(ShaderError) as caught:
        export.compiled("#version 430 core\nvoid main() { nope = 1; }\n")
    assert "nope" in str(caught.value)
    assert "\n" not in str(caught.value)
