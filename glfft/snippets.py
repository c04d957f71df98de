"""GLSL of the caller, compiled into the passes of a plan.

A load snippet (`load=`) defines `value load(ivec3 at)`, which computes what the first pass reads. A store snippet
(`store=`) defines `void store(ivec3 at, value result)`, which receives the last pass's result. A multiply snippet
(`multiply=`) defines `value product(ivec3 at, value spectrum)`, the new value of a point of the spectrum in
`Plan.convolve`, in FFT order.

`at` is (column, row, layer); in a plan of volumes (column, row, plane), with layers= (column, row, layer * DEPTH +
plane). For spectra with real= it covers the non-redundant half, up to `Plan.spectrum_shape`. A `value` is a vec2 (real,
imaginary), or a vec4 with two such numbers if the storage has four channels. With real= the values of pictures have no
imaginary part, and what a snippet puts there is ignored. Snippets may

- call `value read_source(ivec3 at)` and `void write_target(ivec3 at, value v)` (not in multiply=);
- use the constants ROWS, COLUMNS and LAYERS, LAYERED (1 with layers=, else 0), and DEPTH in plans of volumes only;
- include files of glfft, such as "common/complex.glsl";
- declare uniforms, samplers and images, which `Plan.set_uniforms` sets;
- declare blocks, with a binding to which the caller binds a buffer: storage buffers at 0 to 4 or from 8 up, uniform
  blocks at any. The plan refuses its own bindings.

Names that begin with glfft_ are reserved. In a plan of a single pass, load and store are in one program and must not
use the same name for different things. A store snippet may read the target, as a texture, only where it stores.

With storage "buffer_double" a `value` is a dvec2, glfft's files compute with doubles, and DOUBLE_PRECISION is defined.
The snippet's own floats, and literals without the suffix LF, stay floats, which GLSL converts where a double is needed.
"""

import re
from dataclasses import dataclass

from glfft.errors import OptionError, ShaderError
from glfft.gl.glsl import without_comments

_FUNCTIONS = {  # what a snippet defines, by what it is for
    "load": "value load(ivec3 at)",
    "store": "void store(ivec3 at, value result)",
    "multiply": "value product(ivec3 at, value spectrum)",
}
# Added after the last line. If a semicolon or a brace is missing at the end, a compiler reports the line that follows;
# if a function has other arguments, it reports the call. Neither line should be in a file of glfft.
_ENDS = {
    "load": "value glfft_end_of_load_snippet(ivec3 at) { return load(at); }",
    "store": "void glfft_end_of_store_snippet(ivec3 at, value result) { store(at, result); }",
    "multiply": "value glfft_end_of_multiply_snippet(ivec3 at, value f) { return product(at, f); }",
}
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|endif)\b", re.MULTILINE)


@dataclass(frozen=True)
class Snippet:
    """A piece of GLSL for `glfft.Plan`. One that defines LAYER_BY_LAYER keeps to the layer that it is asked for, so
    that `auto` may take one dispatch for small pictures.
    """

    source: str
    name: str = ""  # comes after "load snippet", "store snippet" or "multiply snippet" in compile errors
    # samplers and images whose textures have the spectrum's shape and, as texture arrays, the plan's layers
    shaped_as_spectrum: tuple[str, ...] = ()

    @property
    def layer_by_layer(self) -> bool:
        """Whether it says that it keeps to its layer."""
        return "#define LAYER_BY_LAYER" in self.source

    def generated(self, role: str) -> tuple[tuple[str, str], ...]:
        """The files that shaders include for it, so that errors name the snippet and its own lines."""
        path = self._path(role)
        return ((f"generated/{role}.glsl", f'#include "{path}"\n'), (path, f"{self.source.rstrip()}\n{_ENDS[role]}\n"))

    def _path(self, role: str) -> str:
        # The role comes first, because two snippets may have the same name, and none may replace a file of glfft.
        return f"{role} snippet {' '.join(self.name.split())}".rstrip().replace('"', "'")


def as_snippet(option: str, given: Snippet | str | None) -> Snippet | None:
    """A snippet for load=, store= or multiply=, made from text if need be. Raises OptionError where it is neither,
    ShaderError where it does not define its function, or has a comment or condition without an end.
    """
    if given is None:
        return None
    snippet = Snippet(given) if isinstance(given, str) else given
    if not isinstance(snippet, Snippet):
        raise OptionError(f"{option} must be GLSL text or a glfft.snippets.Snippet, not {type(given).__name__}.")
    own = next((role for role in _FUNCTIONS if role in snippet.name), option)
    if own != option and snippet.name.startswith("built-in "):
        raise ShaderError(f"The {snippet.name} is for {own}=, not {option}=; give it there.")
    code = without_comments(snippet.source)
    _check_ends(snippet._path(option), code)
    name = _FUNCTIONS[option].split()[1].partition("(")[0]
    if "#include" not in code and not re.search(rf"\b{name}\b", code):
        raise ShaderError(f"The {option} snippet must define `{_FUNCTIONS[option]}`, see glfft.snippets.")
    return snippet


def _check_ends(path: str, code: str) -> None:
    """Refuse comments and conditions without an end: compilers report them only at the end of the whole shader."""
    if "/*" in code:
        line = code.partition("/*")[0].count("\n") + 1
        raise ShaderError(f"The comment that begins at {path}:{line} has no end; add */.")
    conditions: list[int] = []
    for found in _CONDITION.finditer(code):
        if found.group(1) != "endif":
            conditions.append(code.count("\n", 0, found.start()) + 1)
        elif conditions:  # else the compiler reports it
            conditions.pop()
    if conditions:
        raise ShaderError(f"The condition at {path}:{conditions[-1]} has no end; add #endif.")


def _built_in(name: str, *shaped_as_spectrum: str) -> Snippet:
    return Snippet(f'#include "snippets/{name}.glsl"\n', f"built-in {name}", shaped_as_spectrum)


def shift_load() -> Snippet:
    """Load with the first element from the middle along all axes, as numpy.fft.ifftshift. Element n of a line of N
    comes from (n + N // 2) % N. For whole spectra with the zero frequency in the middle, in plans without real=.
    """
    return _built_in("shift_load")


def shift_store() -> Snippet:
    """Store with the first element in the middle along all axes, as numpy.fft.fftshift. Element n of a line of N goes
    to (n + N // 2) % N. For whole spectra, in plans without real=.
    """
    return _built_in("shift_store")


def hann_load() -> Snippet:
    """Load, multiplied by a periodic Hann window along all axes. It is (1 - cos(2 pi n / N)) / 2."""
    return _built_in("hann_load")


def magnitude_store() -> Snippet:
    """Store |F| in the first channel and 0 in the second."""
    return _built_in("magnitude_store")


def log_magnitude_store() -> Snippet:
    """Store log(1 + |F|) in the first channel and 0 in the second. The logarithm is the natural one."""
    return _built_in("log_magnitude_store")


def real_pair_load() -> Snippet:
    """Load first + i second from two textures of one channel.

    `set_uniforms(first=..., second=...)` sets them. No source is read. With layers= they are texture arrays with as
    many layers; of a volume they are 3-D textures. Not for storage of two complex numbers a texel, not for several
    volumes, and not for plans with real=, which read a real picture directly.
    """
    return _built_in("real_pair_load", "first", "second")


def real_pair_store() -> Snippet:
    """Store the real and the imaginary part in two textures of one channel. `set_uniforms(real=..., imaginary=...)`
    sets them. No target is written. Otherwise as `real_pair_load`.
    """
    return _built_in("real_pair_store", "real", "imaginary")


def multiply_by_texture() -> Snippet:
    """Multiply all layers by a texture of two channels (real, imaginary). `set_uniforms(factor=...)` sets it. It has
    the spectrum's shape; in a plan of volumes it is a 3-D texture. If the texture holds the transform of a filter (norm
    "backward"), `Plan.convolve` is the circular convolution with it.
    """
    return _built_in("multiply_by_texture", "factor")


def is_for_complex_pictures(snippet: Snippet) -> bool:
    """Whether a snippet is only for plans without real=, whose pictures are complex and whose spectra are whole."""
    return snippet in (shift_load(), shift_store(), real_pair_load(), real_pair_store())
