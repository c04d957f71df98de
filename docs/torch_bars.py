"""Draws bars with moderngl and finds, in torch, the width whose spectrum is nearest to another bar's.

Magnitudes do not tell where a bar stands. The loop waits for no picture: where torch's CUDA and OpenGL share a GPU, the
width is the only number that goes to the host.
"""

from __future__ import annotations

import torch  # pyright: ignore[reportMissingImports]

import glfft

SIDE = 256
WIDTH = 23


def nearest_width() -> int:
    """The width found, in texels."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    wanted = torch.zeros(SIDE, SIDE, device=device)
    wanted[:, 100 : 100 + WIDTH] = 1
    magnitudes = torch.fft.rfft2(wanted).abs()
    spectrum = torch.empty(SIDE, SIDE // 2 + 1, dtype=torch.complex64, device=device)
    errors = []
    with glfft.open_context() as ctx, glfft.Plan(ctx, (SIDE, SIDE), real=True) as plan:
        target = ctx.texture((SIDE, SIDE), 1, dtype="f4")
        frame = ctx.framebuffer(target)
        for width in range(41):
            frame.clear()
            frame.clear(1.0, viewport=(0, 0, width, SIDE))  # or drawing of your own
            plan.forward(target, spectrum)  # a texture in, a tensor out
            errors.append((spectrum.abs() - magnitudes).square().mean())
        return int(torch.stack(errors).argmin())


if __name__ == "__main__":
    print(f"the bar is {nearest_width()} texels wide")
