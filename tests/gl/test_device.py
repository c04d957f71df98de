"""What a device is known by."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import moderngl
import pytest
from support.requests import LEAST_DEVICE

from glfft.gl.context import is_software, read_device
from glfft.gl.device import is_software_renderer


def test_software_renderers_are_recognised(ctx: moderngl.Context) -> None:
    assert is_software_renderer("llvmpipe (LLVM 15.0.6, 256 bits)")
    assert is_software_renderer("ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)")
    assert not is_software_renderer("NVIDIA GeForce RTX 4090/PCIe/SSE2")
    assert not is_software_renderer("AMD Radeon RX 7900 XTX (radeonsi, navi31, LLVM 17.0.6)")
    assert not is_software_renderer("Mesa Intel(R) UHD Graphics 630 (CFL GT2)")
    assert is_software(ctx) == ("llvmpipe" in ctx.info["GL_RENDERER"])


@pytest.mark.parametrize(
    ("renderer", "avx512", "stores_doubles"),
    [
        ("llvmpipe (LLVM 15.0.6, 256 bits)", False, True),
        ("llvmpipe (LLVM 15.0.6, 256 bits)", True, False),
        ("llvmpipe (LLVM 15.0.6, 512 bits)", True, True),
        ("llvmpipe (LLVM 15.0.6, 128 bits)", True, True),
        ("NVIDIA H200/PCIe/SSE2", False, False),
    ],
)
def test_where_doubles_are_stored(renderer: str, avx512: bool, stores_doubles: bool) -> None:
    assert replace(LEAST_DEVICE, renderer=renderer, avx512=avx512).stores_doubles == stores_doubles


@pytest.mark.parametrize(("flags", "has"), [("fpu avx2 avx512f avx512dq", True), ("fpu avx2", False)])
def test_the_first_processor_says_whether_it_has_avx512(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, flags: str, has: bool
) -> None:
    processors, real = tmp_path / "cpuinfo", open
    processors.write_text(f"processor: 0\nflags: {flags}\n" + 5000 * "x" + "avx512f", encoding="ascii")

    def instead(path: Any, *rest: Any, **more: Any) -> Any:
        return real(processors if path == "/proc/cpuinfo" else path, *rest, **more)

    monkeypatch.setattr("builtins.open", instead)
    assert read_device(ctx).avx512 is has
    processors.unlink()
    assert read_device(ctx).avx512 is False
