"""What a device is known by."""

from __future__ import annotations

import moderngl

from glfft.gl.context import is_software
from glfft.gl.device import is_software_renderer


def test_software_renderers_are_recognised(ctx: moderngl.Context) -> None:
    assert is_software_renderer("llvmpipe (LLVM 15.0.6, 256 bits)")
    assert is_software_renderer("ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)")
    assert not is_software_renderer("NVIDIA GeForce RTX 4090/PCIe/SSE2")
    assert not is_software_renderer("AMD Radeon RX 7900 XTX (radeonsi, navi31, LLVM 17.0.6)")
    assert not is_software_renderer("Mesa Intel(R) UHD Graphics 630 (CFL GT2)")
    assert is_software(ctx) == ("llvmpipe" in ctx.info["GL_RENDERER"])
