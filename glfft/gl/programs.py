"""Programs compiled and cached per context, and their uniforms set by name."""

import ctypes
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any

import moderngl

from glfft.errors import ShaderError
from glfft.gl.context import functions_of, state_of
from glfft.gl.glsl import declared_uniforms
from glfft.gl.source import Defines, Source, assemble, explain_failure
from glfft.gl.timed import waiting

# A program's handler of any of them may raise an exception. SIGINT is the first.
_SIGNALS = sorted(signal.valid_signals(), key=lambda number: (number != signal.SIGINT, number))
_PROGRAMS_KEPT = 256


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold signals' handlers until the block ends: moderngl crashes if they raise in its calls as it makes programs."""
    if threading.current_thread() is not threading.main_thread():  # Python runs handlers in the main thread only
        yield
        return
    ours: dict[int, Any] = {number: each for number in _SIGNALS if callable(each := signal.getsignal(number))}
    arrived: list[tuple[int, FrameType | None]] = []
    try:
        for number in ours:
            signal.signal(number, lambda number, frame: arrived.append((number, frame)))
        yield
    finally:
        for number, handler in reversed(ours.items()):  # SIGINT last: then nothing is left to restore if it raises
            signal.signal(number, handler)
        for number, frame in arrived:
            ours[number](number, frame)


def compute(ctx: moderngl.Context, name: str, defines: Defines | None = None) -> moderngl.ComputeShader:
    """The compute shader of an entry point and its constants, compiled once per context: its uniforms keep what the
    last user set. Raises ShaderError with file, line and source line where it could not be read, compiled or linked.
    """
    return compute_from(ctx, assemble(name, defines))


def program(ctx: moderngl.Context, vertex: str, fragment: str, defines: Defines | None = None) -> moderngl.Program:
    """The drawing program of two entry points and their constants, compiled once. Raises ShaderError as `compute`."""
    return compute_from(ctx, assemble(vertex, defines), assemble(fragment, defines))


def compute_from(ctx: moderngl.Context, *sources: Source) -> Any:
    """The compute shader of a source, or the drawing program of two, compiled once. Raises ShaderError as `compute`."""
    key = tuple(source.text for source in sources)
    make = partial(compute_alone, ctx, *sources)
    return state_of(ctx).kept("programs", key, make, lambda found: len(found) > _PROGRAMS_KEPT)


def compute_alone(ctx: moderngl.Context, *sources: Source) -> Any:
    """Compile the same anew. The caller alone sets its uniforms, and releases it."""
    # Written so that moderngl finds no includes: it would look for files that comments name too.
    texts = [source.text.replace("#include", "# include") for source in sources]
    try:
        with waiting(ctx, "compile"), interrupts_held():
            if len(texts) == 1:
                made = ctx.compute_shader(texts[0])
            else:
                made = ctx.program(vertex_shader=texts[0], fragment_shader=texts[1])
    except moderngl.Error as error:
        raise ShaderError(explain_failure(str(error), sources)) from error
    # What the driver keeps of them is less, see `set_uniforms`.
    made.extra = frozenset().union(*(declared_uniforms(source.text) for source in sources))
    return made


def set_uniforms(program: moderngl.Program | moderngl.ComputeShader, values: Mapping[str, Any]) -> None:
    """Set a program's uniforms and texture units. Those a compiler dropped are passed over; others raise KeyError."""
    for name, value in values.items():
        if name in program:
            program[name].value = value  # pyright: ignore[reportAttributeAccessIssue]
        elif name not in program.extra:
            raise KeyError(name)


def set_declared(program: moderngl.Program | moderngl.ComputeShader, values: Mapping[str, Any]) -> None:
    """`set_uniforms` with the values whose names the program declares: for values that several programs share."""
    set_uniforms(program, {name: value for name, value in values.items() if name in program.extra})


def run_over(program: moderngl.ComputeShader, group: int, columns: int, rows: int, layers: int = 1) -> None:
    """Run a compute shader with an invocation a texel, or more: in work groups of `group` texels along both sides."""
    program.run(-(-columns // group), -(-rows // group), layers)


def is_uniform_array(ctx: moderngl.Context, program: moderngl.ComputeShader, name: str) -> bool:
    """Whether a uniform is an array, be it of a single element, which moderngl cannot tell."""
    gl = functions_of(ctx)
    index, full_name = ctypes.c_uint(0), ctypes.create_string_buffer(len(name.encode()) + len("[0]") + 1)
    gl.glGetUniformIndices(program.glo, 1, (ctypes.c_char_p * 1)(name.encode()), ctypes.byref(index))
    gl.glGetActiveUniformName(program.glo, index, len(full_name), None, full_name)
    return full_name.value.endswith(b"[0]")
