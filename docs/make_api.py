"""Renders the docstrings of the public names as Markdown: the text of docs/api.md."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

WIDTH = 100


@dataclass(frozen=True)
class Room:
    """A part of the reference: names of one module, under a heading.

    Attributes:
        heading: of the part.
        module: where the names are imported from, as users do.
        names: in the order shown; none takes all public functions and classes the module defines.
        about: a line or two on top.
    """

    heading: str
    module: str
    names: tuple[str, ...] = ()
    about: str = ""


ROOMS = (
    Room("Plans", "glfft", ("Plan", "open_context", "algorithms")),
    Room("Arrays", "glfft", ("fft", "ifft", "fft2", "ifft2", "rfft", "irfft", "rfft2", "irfft2")),
    Room(
        "Snippets",
        "glfft.snippets",
        (
            "Snippet",
            "shift_load",
            "shift_store",
            "hann_load",
            "magnitude_store",
            "log_magnitude_store",
            "real_pair_load",
            "real_pair_store",
            "multiply_by_texture",
        ),
        "For `load=`, `store=` and `multiply=`; [conventions.md](conventions.md#snippets) says how to write one.",
    ),
    Room("Tuning", "glfft.tuning.tuner", ("BackgroundTuner",), "What `Plan.tuner` returns."),
    Room("Tuning reports", "glfft.tuning.report", ("TuningReport", "TunedPass"), "What `Plan.tune` returns."),
    Room("Profiler", "glfft", ("Profiler",)),
    Room(
        "Profiler results",
        "glfft.profiling.timeline",
        ("Statistics", "SectionStatistics", "Summary", "Timeline"),
        "What `Profiler.statistics` and `Profiler.timeline` return.",
    ),
    Room("Profiler reports", "glfft.profiling.export", ("to_json",), "What `Profiler.save` and `to_json` write."),
    Room("Overlay", "glfft.overlay", ("Overlay",), "Needs the extra `ui`."),
    Room("Overlay beside panels", "glfft.ui.imgui_layer", ("ImguiLayer",), "Needs the extra `ui`."),
    Room("ImGui over moderngl", "glfft.ui.imgui_renderer", ("ImguiRenderer",), "Needs the extra `ui`."),
    Room("Window", "glfft.ui.window", ("Window",)),
    Room("Ocean: settings", "glfft.demos.ocean.settings", ("OceanSettings",)),
    Room("Ocean: simulation", "glfft.demos.ocean.simulation", ("OceanSimulation",)),
    Room("Ocean: one step of many tiles", "glfft.demos.ocean.step", ("OceanStep", "sample_tiles")),
    Room("Ocean: what is drawn of them", "glfft.demos.ocean.maps", ("SeaMaps",)),
    Room("Ocean: fields as data", "glfft.demos.ocean.fields"),
    Room("Ocean: waves of a tile", "glfft.demos.ocean.waves"),
    Room("Ocean: spectra", "glfft.demos.ocean.spectra"),
    Room("Reference transforms", "glfft.bench.reference", ("dft", "dit", "dif", "recursive")),
    Room("Errors", "glfft.errors"),
)

# Google-style sections of a docstring that list things by name.
_LISTS = ("Args", "Attributes", "Raises")
_SECTION = re.compile(r"^(Args|Attributes|Raises|Returns)( \([^)]*\))?:$")
_ENTRY = re.compile(r"^([\w`*]+(?:, [\w`*]+)*): (.*)$")


def render() -> str:
    """The whole reference."""
    parts = [
        "# API reference\n",
        "Made from the docstrings by `make docs`; edit those, not this page. Signs, orders and units that hold\n"
        "everywhere are in [conventions.md](conventions.md).\n",
        "\n".join(f"- [{room.heading}](#{_anchor(room.heading)}): {_names_line(room)}" for room in ROOMS) + "\n",
    ]
    for room in ROOMS:
        parts += _room(room)
    return "\n".join(parts)


def _names_line(room: Room) -> str:
    names = [name for name, _ in _members(room)]
    shown = ", ".join(f"`{name}`" for name in names[:5])
    return shown + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _room(room: Room) -> Iterator[str]:
    yield f"## {room.heading}\n"
    members = list(_members(room))
    names = ", ".join(name for name, _ in members) if len(members) <= 4 else "..."
    yield f"`from {room.module} import {names}`\n"
    if room.about:
        yield f"{room.about}\n"
    if all(inspect.isclass(member) and issubclass(member, BaseException) for _, member in members):
        yield _errors(members)
        return
    for name, member in members:
        yield from _class(name, member) if inspect.isclass(member) else _callable(name, member, level=3)


def _members(room: Room) -> Iterator[tuple[str, Any]]:
    module = importlib.import_module(room.module)
    if room.names:
        yield from ((name, getattr(module, name)) for name in room.names)
        return
    for name, member in vars(module).items():
        own = getattr(member, "__module__", None) == module.__name__
        if own and not name.startswith("_") and (inspect.isclass(member) or inspect.isfunction(member)):
            yield name, member


def _errors(members: list[tuple[str, Any]]) -> str:
    lines = ["| error | is also | raised when |", "| --- | --- | --- |"]
    for name, member in members:
        bases = ", ".join(f"`{base.__name__}`" for base in member.__bases__)
        lines.append(f"| `{name}` | {bases} | {' '.join(_documentation(name, member).split())} |")
    return "\n".join(lines) + "\n"


def _class(name: str, kind: type) -> Iterator[str]:
    yield f"### {name}\n"
    yield _code(_signature(name, kind))
    yield _markdown(_documentation(name, kind))
    described = _documentation(name, kind)
    for member_name, member in vars(kind).items():
        if member_name.startswith("_"):
            if member_name == "__init__" and member.__doc__ and not dataclasses.is_dataclass(kind):
                yield _markdown(_documentation(member_name, member))
            continue
        if isinstance(member, property):
            documentation = _documentation(f"{name}.{member_name}", member)
            yield f"#### {name}.{member_name}\n"
            yield _markdown(documentation, "Property. ")
        elif inspect.isfunction(member):
            yield from _callable(f"{name}.{member_name}", member, level=4)
        elif isinstance(member, classmethod | staticmethod):
            yield from _callable(f"{name}.{member_name}", member.__func__, level=4)
        elif member_name not in described and not dataclasses.is_dataclass(kind):
            raise LookupError(f"{name}.{member_name} is public and the docstring of {name} does not mention it")


def _callable(name: str, function: Callable[..., Any], level: int) -> Iterator[str]:
    yield f"{'#' * level} {name}\n"
    yield _code(_signature(name.split(".")[-1], function))
    yield _markdown(_documentation(name, function))


def _documentation(name: str, member: Any) -> str:
    text = inspect.cleandoc(member.__doc__ or "")
    if not text:
        raise LookupError(f"{name} is public and has no docstring")
    return text


def _signature(name: str, member: Callable[..., Any]) -> str:
    signature = inspect.signature(member)
    parameters = list(signature.parameters.values())
    if parameters and parameters[0].name == "self":
        parameters = parameters[1:]
    words: list[str] = []
    keyword_only = False
    for index, parameter in enumerate(parameters):
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            words.append("*")
        keyword_only = parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        words.append(_parameter(parameter))
        following = parameters[index + 1] if index + 1 < len(parameters) else None
        if parameter.kind is parameter.POSITIONAL_ONLY and (
            following is None or following.kind is not parameter.POSITIONAL_ONLY
        ):
            words.append("/")
    returned = signature.return_annotation
    if hasattr(member, "__wrapped__") and isinstance(returned, str):
        # What contextlib.contextmanager makes of a generator.
        returned = returned.replace("Iterator[", "AbstractContextManager[", 1)
    arrow = "" if inspect.isclass(member) or returned in (inspect.Signature.empty, "None") else f" -> {returned}"
    line = f"{name}({', '.join(words)}){arrow}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"{name}(", *(f"    {word}," for word in words), f"){arrow}"])


def _parameter(parameter: inspect.Parameter) -> str:
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    text = stars + parameter.name
    if parameter.annotation is not parameter.empty:
        text += f": {parameter.annotation}"
    if parameter.default is not parameter.empty:
        default = "..." if isinstance(parameter.default, dataclasses.Field) else repr(parameter.default)
        text += f" = {default}"
    return text


def _code(text: str) -> str:
    # Not marked `python`: those blocks are programs, and run.
    return f"```py\n{text}\n```\n"


def _markdown(documentation: str, prefix: str = "") -> str:
    """A docstring as Markdown: its sections become lists, the rest stays as it is."""
    lines: list[str] = []
    section = ""
    for line in documentation.splitlines():
        heading = _SECTION.match(line)
        if heading:
            section = heading[1]
            lines.append(f"**{section}{heading[2] or ''}**")
            lines.append("")
        elif not section or (line and not line.startswith(" ")):
            section = "" if line else section
            if line.startswith("    ") and lines and lines[-1] and not lines[-1].startswith((" ", "- ")):
                lines.append("")  # Markdown shows what is indented as written, but only after an empty line
            lines.append(line)
        else:
            lines.append(_in_section(section, line))
    text = "\n".join(lines).strip()
    return f"{prefix}{text}\n"


def _in_section(section: str, line: str) -> str:
    bare = line[4:] if line.startswith("    ") else line
    if section not in _LISTS:
        return bare
    entry = _ENTRY.match(bare)
    if entry:
        names = ", ".join(f"`{name.strip('`')}`" for name in entry[1].split(", "))
        return f"- {names}: {entry[2]}"
    # The continuation of an entry, or a sentence in place of a list.
    return f"  {bare.strip()}" if bare.startswith(" ") else bare


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
