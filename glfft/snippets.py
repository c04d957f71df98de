"""GLSL of the caller's fused into a transform: `load=` makes what the first pass reads, `store=` takes the result,
`multiply=` changes a spectrum on its way to and back.

A load snippet defines `value load(ivec3 at)`, a store snippet `void store(ivec3 at, value result)`, where `at` is
(column, row, layer) and a `value` is a vec2 (real, imaginary), or a vec4 holding two such numbers for four-channel
storage. Both may call `value read_source(ivec3 at)` and `void write_target(ivec3 at, value v)`, use the constants ROWS,
COLUMNS and LAYERS (and LAYERED, 1 in a plan with layers=, else 0), include files of glfft such as
"common/complex.glsl", and declare uniforms, samplers and images of their own, which `Plan.set` fills, and blocks, with
a binding that the caller binds a buffer to: a plan takes those of storage buffers from 5 upwards. Names that begin with
glfft_ are glfft's. In a plan of a single pass, load and store are in one program and must not give two things one name.

ROWS and COLUMNS are the plan's shape. In a plan with real=, on the side of the pictures values have nothing in the
imaginary part, and what a snippet puts there is left out; on the side of the spectra `at` goes over the half that is
kept, up to `Plan.spectrum_shape`.

A multiply snippet defines `value product(ivec3 at, value spectrum)`: what the point of a spectrum at a place, in FFT
order, becomes in `Plan.convolve`. It may use the same, but reads and writes no source or target.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from glfft.errors import OptionError, ShaderError
from glfft.gl.glsl import without_comments


@dataclass(frozen=True)
class Snippet:
    """A piece of GLSL for `glfft.Plan`.

    Attributes:
        source: the text.
        name: how compile errors call it, after "load snippet", "store snippet" or "multiply snippet".
        shaped_as_spectrum: those of its samplers and images whose textures must have the spectrum's shape, and texture
            arrays the plan's layers; `Plan.set` refuses others.
    """

    source: str
    name: str = ""
    shaped_as_spectrum: tuple[str, ...] = ()

    def generated(self, role: str) -> tuple[tuple[str, str], ...]:
        """What shader assembly includes for it, so that errors name the snippet and its own lines."""
        path = self._path(role)
        return (
            (f"generated/{role}.glsl", f'#include "{path}"\n'),
            (path, f"{self.source.rstrip()}\n{_ENDS[role]}\n"),
        )

    def _path(self, role: str) -> str:
        """What errors call it."""
        # The role first: two snippets may have one name, and none may take the place of a file of glfft.
        return f"{role} snippet {' '.join(self.name.split())}".rstrip().replace('"', "'")


_FUNCTIONS = {
    "load": "value load(ivec3 at)",
    "store": "void store(ivec3 at, value result)",
    "multiply": "value product(ivec3 at, value spectrum)",
}

# Put after the last line. A compiler finds what is missing at an end, such as a semicolon or a brace, only in what
# follows, and a function with other arguments only where it is called: that must not be in a file of glfft.
_ENDS = {
    "load": "value glfft_end_of_load_snippet(ivec3 at) { return load(at); }",
    "store": "void glfft_end_of_store_snippet(ivec3 at, value result) { store(at, result); }",
    "multiply": "value glfft_end_of_multiply_snippet(ivec3 at, value f) { return product(at, f); }",
}

_CONDITION = re.compile(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|endif)\b", re.MULTILINE)


def as_snippet(option: str, given: Snippet | str | None) -> Snippet | None:
    """A snippet, or text made into one.

    Args:
        option: of a plan: load, store or multiply.

    Raises:
        OptionError: it is neither.
        ShaderError: it has not the function that it is for, or a comment or condition in it has no end.
    """
    if given is None:
        return None
    snippet = Snippet(given) if isinstance(given, str) else given
    if not isinstance(snippet, Snippet):
        raise OptionError(f"{option} must be GLSL text or a glfft.snippets.Snippet, not {type(given).__name__}.")
    code = without_comments(snippet.source)
    _check_ends(snippet._path(option), code)
    name = _FUNCTIONS[option].split()[1].partition("(")[0]
    if "#include" not in code and not re.search(rf"\b{name}\b", code):
        raise ShaderError(f"The {option} snippet must define `{_FUNCTIONS[option]}`, see glfft.snippets.")
    return snippet


def _check_ends(path: str, code: str) -> None:
    """Refuse what would reach beyond the end of a snippet, where compilers see it as late as at the end of all."""
    begun = code.find("/*")
    if begun >= 0:
        raise ShaderError(f"The comment that begins at {path}:{_line_of(begun, code)} has no end; add */.")
    conditions: list[int] = []
    for found in _CONDITION.finditer(code):
        if found.group(1) != "endif":
            conditions.append(found.start())
        elif conditions:  # else compilers say so
            conditions.pop()
    if conditions:
        raise ShaderError(f"The condition at {path}:{_line_of(conditions[-1], code)} has no end; add #endif.")


def _line_of(position: int, code: str) -> int:
    return code.count("\n", 0, position) + 1


def _built_in(name: str) -> Snippet:
    return Snippet(f'#include "snippets/{name}.glsl"\n', name=f"built-in {name}")


def shift_load() -> Snippet:
    """Load with the halves swapped along both axes (numpy.fft.ifftshift for even lengths), for spectra kept shifted.

    Not for plans with real=: half a spectrum has no halves to swap.
    """
    return _built_in("shift_load")


def shift_store() -> Snippet:
    """Store with the halves swapped along both axes (numpy.fft.fftshift for even lengths).

    Not for plans with real=: half a spectrum has no halves to swap.
    """
    return _built_in("shift_store")


def hann_load() -> Snippet:
    """Load times a periodic Hann window along both axes: (1 - cos(2 pi n / N)) / 2."""
    return _built_in("hann_load")


def magnitude_store() -> Snippet:
    """Store |F| in the first channel and 0 in the second."""
    return _built_in("magnitude_store")


def log_magnitude_store() -> Snippet:
    """Store log(1 + |F|), natural logarithm, in the first channel and 0 in the second."""
    return _built_in("log_magnitude_store")


def real_pair_load() -> Snippet:
    """Load first + i second from two textures of one channel: set(first=..., second=...). No source is read.

    With layers= they are texture arrays of as many layers.

    Not for storage of two complex numbers a texel, and not for plans with real=, which take one real picture as it is.
    """
    return replace(_built_in("real_pair_load"), shaped_as_spectrum=("first", "second"))


def real_pair_store() -> Snippet:
    """Store the real part in one texture and the imaginary part in another: set(real=..., imaginary=...), one channel.

    With layers= they are texture arrays of as many layers. No target is written.

    Not for storage of two complex numbers a texel, and not for plans with real=.
    """
    return replace(_built_in("real_pair_store"), shaped_as_spectrum=("real", "imaginary"))


def multiply_by_texture() -> Snippet:
    """Multiply by a texture of two channels (real, imaginary), shaped as the spectrum, for all layers: set(factor=...).

    With the transform of a filter in it (norm "backward"), `Plan.convolve` is the circular convolution with the filter.
    """
    return replace(_built_in("multiply_by_texture"), shaped_as_spectrum=("factor",))


def is_for_complex_pictures(snippet: Snippet | None) -> bool:
    """Whether a snippet makes sense only where pictures and spectra are whole and complex."""
    return snippet in (shift_load(), shift_store(), real_pair_load(), real_pair_store())
