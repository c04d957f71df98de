"""Where things lie in the checkout."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def shader_files() -> list[Path]:
    """Every file of GLSL."""
    folder = ROOT / "glfft" / "shaders"
    return [path for path in folder.rglob("*.*") if path.suffix in (".glsl", ".comp", ".vert", ".frag")]
