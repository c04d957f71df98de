"""Where things lie in the checkout."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHADERS = ROOT / "shaders"


def shader_files() -> list[Path]:
    """Every file of GLSL."""
    return [path for path in SHADERS.rglob("*.*") if path.suffix in (".glsl", ".comp", ".vert", ".frag")]
