"""Fast Fourier transforms in OpenGL compute shaders: textures in, textures out, inside the frame."""

from glfft.errors import GlfftError
from glfft.gl import open_context

__version__ = "0.1.0"

__all__ = ["GlfftError", "open_context"]
