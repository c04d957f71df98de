"""The passes of a plan as files for programs without glfft: shaders, tables, and a manifest that says how to run them.

No pass reads the image that it writes, buffers of padded lines apart, and bindings have low numbers, each once: so what
is exported suits interfaces other than OpenGL too.
"""

import json
import math
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from glfft.algorithms.pass_bindings import ImageBinding, PassBindings, Place, TableBinding, UniformValue
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.storage import STORAGES, Storage
from glfft.engine import twiddles
from glfft.engine.pipeline import in_scratch
from glfft.engine.plan_passes import plan_passes
from glfft.engine.request import DIRECTION_NAMES, FORWARD, INVERSE, PlanRequest
from glfft.errors import OptionError, ShaderError
from glfft.gl.barriers import SHADER_IMAGE_ACCESS_BARRIER, SHADER_STORAGE_BARRIER, TEXTURE_FETCH_BARRIER
from glfft.gl.device import ES_3_1, Device
from glfft.gl.glsl import declared_uniforms, without_comments
from glfft.gl.source import VERSION_LINE

FORMAT_VERSION = 1  # the manifest's version: raised where a reader of the version before would go wrong

# The SPIR-V has descriptor set 0 and the GLSL's bindings. Its compiler is in Debian's glslang-tools, Fedora's glslang.
SPIRV_ENVIRONMENT = "vulkan1.0"
_COMPILER = "glslangValidator"

_NOTICE = "Copyright (c) 2026 The glfft authors. SPDX-License-Identifier: MIT"

_BARRIER_NAMES = {
    TEXTURE_FETCH_BARRIER: "texture fetch",
    SHADER_IMAGE_ACCESS_BARRIER: "shader image access",
    SHADER_STORAGE_BARRIER: "shader storage",
}
_PLACE_NAMES = {Place.TEXTURE: "texture", Place.IMAGE: "image", Place.STORAGE_BUFFER: "buffer"}
_BLOCK = re.compile(r"\b(?:buffer|uniform)\s+(\w+)\s*\{")
_OWN_BLOCKS = {"GlfftSource", "GlfftTarget", "Twiddles"}
_LIST_OF_NUMBERS = re.compile(r"\[[-+.\deE,\s]+\]")
_UNIFORM_TYPES = {int: "int", float: "float"}

_PORTABLE_FORMATS = ("r32f", "rgba32f", "rgba16f")  # of images of floats in OpenGL ES 3.1, those that passes write
_HIGHP = ("float", "int", *(kind + rank for kind in ("sampler", "image") for rank in ("2D", "2DArray", "3D")))
_PORTABLE_HEAD = "\n".join(("#version 310 es", *(f"precision highp {each};" for each in _HIGHP)))


def portable_passes(request: PlanRequest) -> dict[int, list[PassSpec]]:
    """Passes that need no more than OpenGL ES 3.1. Raises LimitError for too large a shape, else OptionError."""
    if request.snippets:
        raise OptionError("A plan with snippets is not portable, as they may be no GLSL ES; leave out the snippets.")
    if request.storage.double:
        raise OptionError("OpenGL ES 3.1 has no float64, so that this plan is not portable; use storage='buffer'.")
    request.check_limits(ES_3_1)
    passes: dict[int, list[PassSpec]] = {}
    for direction in request.directions:
        # No images to read, and no textures of factors: naga has no samplers as part of textures.
        chosen = plan_passes(request, direction, ES_3_1)
        passes[direction] = [replace(spec.fetching, sampled_twiddles=False) for spec in chosen]
    bound = [spec.bindings for spec in chain.from_iterable(passes.values())]
    if any(each.between for each in bound):
        raise OptionError("OpenGL ES 3.1 has no images to read and write, so that this algorithm is not portable.")
    formats = {each.target.storage.name for each in bound if each.target.place is Place.IMAGE}
    for name in sorted(formats.difference(_PORTABLE_FORMATS)):
        why = f"OpenGL ES 3.1 has no images of format {name}, so that this plan is not portable"
        raise OptionError(f"{why}; use storage='buffer' (--storage buffer), or 'rgba32f' for complex pictures.")
    return passes


def exported_files(request: PlanRequest, passes: Mapping[int, Sequence[PassSpec]], device: Device, portable: bool,
                   with_spirv: bool, values: Mapping[str, Any]) -> dict[str, bytes]:  # fmt: skip
    """What `Plan.export` writes, by the name of the file, in SPIR-V too if there is a compiler: the passes chosen for a
    device, or `portable_passes`. Values are of snippets' uniforms, else 0. Raises OptionError where these are others.
    """
    if portable:
        passes = portable_passes(request)
    elif device.software:  # its buffers, between passes and in place of shared memory, are for this device alone
        plain = replace(device, limits=replace(device.limits, buffer_texels=0))
        passes = {direction: plan_passes(request, direction, plain) for direction in passes}
    export = _Export(request, with_spirv and can_compile(), _PORTABLE_HEAD if portable else VERSION_LINE, values)
    directions = {DIRECTION_NAMES[each]: export.direction(each, specs) for each, specs in passes.items()}
    manifest = {
        "format": "glfft export",
        "version": FORMAT_VERSION,
        "licence": "MIT",
        "notice": _NOTICE,
        "glsl": export.head.splitlines()[0].removeprefix("#version "),
        "tuned_for": None if portable else {"renderer": device.renderer, "driver": device.driver},
        "byte_order": "little",
        "spirv": {"environment": SPIRV_ENVIRONMENT, "descriptor_set": 0, "entry": "main"} if export.spirv else None,
        "transform": _transform(request),
        "needs": _needs(list(chain.from_iterable(passes.values()))),
        "directions": directions,
        "files": sorted(export.files),
    }
    # For people too: lists of numbers are on one line.
    text = _LIST_OF_NUMBERS.sub(lambda found: " ".join(found[0].split()), json.dumps(manifest, indent=2))
    return {**export.files, "manifest.json": f"{text}\n".encode()}


def _transform(request: PlanRequest) -> dict[str, Any]:
    """What the manifest says of the transform."""
    regions = {"source_region": request.source_region, "target_region": request.target_region}
    return {
        "shape": request.shape,
        "axes": sorted(request.axes),
        "layers": request.layers,
        "storage": request.storage.name,
        "real": request.real,
        "kind": None if request.kind is None else request.kind.name,
        "orthogonalize": request.orthogonalize,
        "norm": request.norm,
        **{name: None if region is None else asdict(region) for name, region in regions.items()},
        "boundary": request.boundary,
    }


def _needs(specs: Sequence[PassSpec]) -> dict[str, Any]:
    """What a device must allow: the most that a pass takes."""
    return {
        "shared_memory": max(spec.shared_bytes for spec in specs),
        "invocations": max(spec.threads for spec in specs),
        "groups": [max(spec.groups[axis] for spec in specs) for axis in range(3)],
        "float64": any(spec.request.storage.double for spec in specs),
    }


@dataclass
class _Export:
    """Files in the making; passes and directions share programs and tables."""

    request: PlanRequest
    spirv: bool
    head: str  # the first lines of every text
    values: Mapping[str, Any]  # of the snippets' uniforms
    files: dict[str, bytes] = field(default_factory=dict)
    _written: dict[tuple[str, str], str] = field(default_factory=dict)  # files by what they are and the program's text
    _tables: dict[TableBinding, str] = field(default_factory=dict)

    def direction(self, direction: int, specs: Sequence[PassSpec]) -> dict[str, Any]:
        targets = in_scratch(specs, in_place=False)
        source, target = (_image(shape, self.request.layers, held) for shape, held in self.request.ends(direction))
        resources = {"source": source, "target": target}
        names = {image: f"scratch-{number}" for number, image in enumerate(targets.scratch, start=1)}
        resources |= {name: _image(image.shape, image.layers, image.storage) for image, name in names.items()}
        written: list[str] = []
        passes: list[dict[str, Any]] = []
        places = zip(specs, targets.sources, targets.targets, targets.ping_pongs, strict=True)
        for number, (spec, before, to, between) in enumerate(places, start=1):
            written.append("target" if to is None else names[to])
            images = [written[-1] if each is None else names[each] for each in between]
            ends = "source" if before < 0 else written[before], written[-1]
            name = f"{DIRECTION_NAMES[direction]}-{number}"
            passes.append(self._pass(name, spec, ends, images, resources))
        return {
            "sign": {FORWARD: -1, INVERSE: +1}.get(direction),
            "scale": self.request.scale(direction),
            "resources": resources,
            "passes": passes,
        }

    def _pass(
        self, name: str, spec: PassSpec, ends: tuple[str, str], between: Sequence[str], resources: dict[str, Any]
    ) -> dict[str, Any]:
        # It reads buffers as such: other interfaces know no textures over buffers, or know them otherwise.
        device = spec.request.device
        limits = replace(device.limits, buffer_texels=0)
        spec = replace(spec, request=replace(spec.request, device=replace(device, limits=limits)))
        bound = spec.bindings.lowest
        text = self._text(name, spec, bound)
        uniforms = (*bound.uniforms, *_numbers_of_snippets(spec, self.values))
        bindings = [_binding(bound.source, ends[0]), _binding(bound.target, ends[1])]
        bindings += [_binding(each, image) for each, image in zip(bound.between, between, strict=True)]
        if bound.table is not None:
            table = self._table(bound.table, resources)
            bindings.append({"kind": _PLACE_NAMES[bound.table.place], "binding": bound.table.index, "resource": table})
        waits_for = [name for bit, name in _BARRIER_NAMES.items() if bound.barrier & bit]
        return {
            "glsl": self._file(f"{name}.comp", text, str.encode),
            "spirv": self._file(f"{name}.spv", with_constants(text, uniforms), compiled) if self.spirv else None,
            "bindings": bindings,
            "uniforms": [
                {"name": each, "type": _UNIFORM_TYPES.get(type(value), "vec2[]"), "value": value}
                for each, value in uniforms
            ],
            "groups": bound.groups,
            # What must be waited for before the pass.
            "barrier": {"bits": bound.barrier, "names": waits_for},
            "invocations": spec.threads,
            "shared_memory": spec.shared_bytes,
            "kernel": None if spec.choice is None else {"family": spec.choice.family, "why": spec.choice.why},
        }

    def _text(self, name: str, spec: PassSpec, bound: PassBindings) -> str:
        """The GLSL of a pass, as more compilers take it: naga, by which wgpu reads SPIR-V, has no buffers for writing
        only. GLSL ES has no lengths of vectors, and no images without a format; Vulkan has these as a feature.
        """
        code = spec.source_with(bound).text.removeprefix(VERSION_LINE).replace("writeonly buffer", "buffer")
        held = spec.constants["line_point"]
        components = str(spec.constants["value"] if held == "value" else held)[-1]
        code = code.replace("line_point(0.0).length()", components)
        if bound.target.place is Place.IMAGE:
            named = f"layout(binding = TARGET_UNIT, {bound.target.storage.name}) writeonly"
            code = code.replace("layout(binding = TARGET_UNIT) writeonly", named)
        return f"{self.head}\n// {name} of a plan of glfft. {_NOTICE}{code}"

    def _file(self, name: str, text: str, content: Callable[[str], bytes]) -> str:
        """The file of a text or of what is made of it, which passes of one text share but for the line of its name."""
        code = text.partition(_NOTICE)[2]
        kind = Path(name).suffix
        if (kind, code) not in self._written:
            self._written[kind, code] = name
            self.files[name] = content(text)
        return self._written[kind, code]

    def _table(self, table: TableBinding, resources: dict[str, Any]) -> str:
        """The name of a table; its numbers are in a file of that name."""
        name = self._tables.setdefault(table, f"table-{len(self._tables) + 1}")
        numbers = twiddles.numbers(table.radices, table.tables, table.double)
        self.files[f"{name}.bin"] = numbers.astype(numbers.dtype.newbyteorder("<")).tobytes()
        held = STORAGES["buffer_double" if table.double else "buffer"]
        image = _image((1, len(numbers)), None, STORAGES["rg32f"] if table.place is Place.TEXTURE else held)
        resources[name] = {**image, "file": f"{name}.bin"}
        return name


def _numbers_of_snippets(spec: PassSpec, values: Mapping[str, Any]) -> list[tuple[str, UniformValue]]:
    """The uniforms that a pass's snippets declare. Raises OptionError where one is no number, or there are blocks."""
    if not spec.snippets:
        return []
    text = without_comments(spec.source.text)
    names = declared_uniforms(text) | set(_BLOCK.findall(text)) - _OWN_BLOCKS
    found: list[tuple[str, UniformValue]] = []
    for name in sorted(each for each in names if not each.startswith("glfft_")):
        declared = re.search(rf"^uniform (int|float) {name};", text, re.MULTILINE)
        if declared is None:
            why = "since only `uniform float NAME;` and `uniform int NAME;` are, each on a line"
            raise OptionError(f"'{name}' of a snippet is not exported, {why}; leave it out, or write it as a constant.")
        found.append((name, {"int": int, "float": float}[declared[1]](values.get(name, 0))))
    return found


def _image(shape: Sequence[int], layers: int | None, storage: Storage) -> dict[str, Any]:
    size = math.prod(shape) * (layers or 1) * storage.texel_bytes
    held = {"components": storage.components, "number": storage.number.name, "bytes": size}
    if storage.buffer:
        return {"kind": "buffer", "shape": [layers or 1, *shape], **held}
    dimension = "3d" if len(shape) == 3 else "2d" if layers is None else "2d_array"
    extent = [*shape[::-1], *([] if layers is None else [layers])]
    return {"kind": "texture", "dimension": dimension, "size": extent, "format": storage.name, **held}


def _binding(bound: ImageBinding, resource: str) -> dict[str, Any]:
    access = " and ".join(["read"] * bound.reads + ["write"] * bound.writes)
    described = {"kind": _PLACE_NAMES[bound.place], "binding": bound.index, "resource": resource, "access": access}
    return described | ({"format": bound.storage.name} if bound.place is Place.IMAGE else {})


def can_compile() -> bool:
    return shutil.which(_COMPILER) is not None


def compiled(text: str) -> bytes:
    """The SPIR-V of a compute shader without uniforms. Raises ShaderError where the compiler refuses it."""
    with tempfile.TemporaryDirectory() as folder:
        shader, module = Path(folder) / "pass.comp", Path(folder) / "pass.spv"
        shader.write_text(text, encoding="utf-8")
        command = [_COMPILER, "--quiet", "-V", "--target-env", SPIRV_ENVIRONMENT, "-o", module, shader]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ShaderError(f"{_COMPILER} refuses a pass: {' '.join((done.stdout + done.stderr).split())}")
        return module.read_bytes()


def with_constants(text: str, uniforms: Iterable[tuple[str, UniformValue]]) -> str:
    """GLSL with constants in place of uniforms."""
    for name, value in uniforms:
        declared = re.search(rf"^uniform ((\w+) {name}(\[\w+\])?);", text, re.MULTILINE)
        if declared is not None:
            variable, kind, array = declared.groups()
            if isinstance(value, tuple):
                elements = ", ".join(f"{kind}({', '.join(map(repr, each))})" for each in value)
                number = f"{kind}{array}({elements})"
            else:
                number = f"{kind}({value!r})"
            text = text.replace(declared[0], f"const {variable} = {number};")
    return text
