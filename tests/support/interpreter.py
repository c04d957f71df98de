"""Mesa's interpreter of shaders, softpipe, in place of its compiler, llvmpipe.

llvmpipe spends nearly all of its time on short lines compiling; softpipe takes a third of that time. softpipe lacks the
tessellation of OpenGL 4.3, which glfft does without, and says that it has 3.3; Mesa lets another version be named. It
has no multisampling either, and draws large pictures slowly.
"""

from __future__ import annotations

import os
import subprocess
import sys

VARIABLES = {
    "GALLIUM_DRIVER": "softpipe",
    "MESA_GL_VERSION_OVERRIDE": "4.3",
    "MESA_GLSL_VERSION_OVERRIDE": "430",
}

_RENDERER = """
import moderngl
print(moderngl.create_context(standalone=True, backend="egl", require=430).info["GL_RENDERER"])
"""


def take_interpreter() -> None:
    """Let this process and those it starts use softpipe if llvmpipe would be used; a GPU stays what is used.

    A process of its own tries it: a driver is chosen once a process, and some builds of Mesa lack softpipe.
    """
    line = [sys.executable, "-c", _RENDERER]
    tried = subprocess.run(line, capture_output=True, text=True, check=False, env={**os.environ, **VARIABLES})
    if "softpipe" in tried.stdout:
        os.environ.update(VARIABLES)
