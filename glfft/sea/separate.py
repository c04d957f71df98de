"""A transform of the ocean's step without fusion, to compare with: loads and stores are dispatches of their own.

The numbers are those of the fused transform but for rounding: they go through one more texture on each side.
"""

from typing import Any

import moderngl

from glfft.engine.snippet_uniforms import SnippetUniforms
from glfft.gl import programs
from glfft.gl.barriers import TEXTURE_FETCH_BARRIER, barrier_before
from glfft.gl.bindings import TARGET_IMAGE_UNIT, source_texture_unit
from glfft.gl.context import state_of
from glfft.gl.releasable import Keeper, released_on_error
from glfft.gl.source import Define, assemble
from glfft.gl.timed import Sections
from glfft.plan import Plan
from glfft.sea.wave_textures import nearest_texture
from glfft.snippets import Snippet

# Threads of a work group each way.
_GROUP = 8


class SeparateTransform(Keeper):
    """An inverse transform along one axis of texture arrays, as a `Plan` with these snippets, in three steps."""

    def __init__(
        self,
        ctx: moderngl.Context,
        shape: tuple[int, int],
        axis: int,
        algorithm: str,
        layers: int,
        load: Snippet,
        store: Snippet,
    ) -> None:
        """Compile the programs and make the texture between them; arguments and errors are those of `Plan`.

        The snippet `load` computes what the transform reads, without `read_source`, and `store` receives the results,
        without `write_target`.
        """
        self._ctx = ctx
        rows, columns = shape
        self._source_unit = source_texture_unit(state_of(ctx).limits)
        self._groups = (-(-columns // _GROUP), -(-rows // _GROUP), layers)
        defines: dict[str, Define] = {"ROWS": rows, "COLUMNS": columns, "LAYERS": layers, "PAIRED": 1, "GROUP": _GROUP}
        units: dict[str, Define] = {"TARGET_UNIT": TARGET_IMAGE_UNIT, "SOURCE_UNIT": self._source_unit}
        options: dict[str, Any] = {"algorithm": algorithm, "norm": "forward", "layers": layers, "storage": "rgba32f"}
        self.plan = self._own(Plan(ctx, shape, axes=(axis,), **options))
        with released_on_error([self]):
            alone = []
            for role, snippet in (("load", load), ("store", store)):
                source = assemble(f"sea/{role}_alone.comp", defines | units, dict(snippet.generated(role)))
                alone.append(self._own(programs.compute_alone(ctx, source)))
            self._load, self._store = alone
            self._between = self._own(nearest_texture(ctx, (columns, rows, layers), 4))
        self._uniforms = SnippetUniforms(ctx, (self._load, self._store))

    @property
    def dispatches(self) -> int:
        """Dispatches of a run."""
        return self.plan.dispatches + 2

    def set_uniforms(self, **values: Any) -> None:
        """Give uniforms, samplers and images of the snippets their values, as `Plan.set_uniforms` does."""
        for name, value in values.items():
            self._uniforms.set(name, value)

    def inverse(
        self, _source: None, _target: None, next_use: str | None = None, profiler: Sections | None = None
    ) -> None:
        """Run it, with the barriers it needs; `next_use` is for what `store` writes, as for `Plan.inverse`."""
        self._uniforms.bind(self._uniforms.textures_of([self._load]))
        self._between.bind_to_image(TARGET_IMAGE_UNIT, read=False, write=True)
        self._load.run(*self._groups)
        self._ctx.memory_barrier(TEXTURE_FETCH_BARRIER)
        self.plan.inverse(self._between, self._between, "sample", profiler)
        self._uniforms.bind(self._uniforms.textures_of([self._store]))
        self._between.use(self._source_unit)
        self._store.run(*self._groups)
        self._ctx.memory_barrier(barrier_before(next_use, buffer=False))
