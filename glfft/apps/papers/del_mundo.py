"""del Mundo, Adhinarayanan and Feng: batches of 16 points, with each optimisation on its own and in concert."""

from contextlib import ExitStack
from typing import ClassVar

from glfft.algorithms.storage import STORAGES
from glfft.algorithms.study.four_by_four import LENGTH
from glfft.apps.bench.cases import Case
from glfft.apps.papers import channelizer_stages
from glfft.apps.papers import del_mundo_kernels as kernels
from glfft.apps.papers.chapter import Chapter, Rows
from glfft.apps.papers.claims import Measured
from glfft.apps.papers.grid import LIBRARIES, Grid
from glfft.apps.papers.measuring import Maker, Run

BATCH = 1 << 20
QUICK_BATCH = 1 << 18
# This fits the caches of a CPU, and takes a software renderer seconds.
SOFTWARE_BATCH = 1 << 13


class DelMundo(Chapter):
    """Batches in buffers and textures."""

    name = "del-mundo"
    file = "del_mundo.toml"
    shares = staticmethod(channelizer_stages.shares)
    growths = staticmethod(channelizer_stages.growths)
    groups: ClassVar = {
        "libraries": LIBRARIES,
        "images": [row.name for row in kernels.IN_CONCERT if row.name.startswith("IM")],
        "buffers": [row.name for row in kernels.IN_CONCERT if row.name.startswith("GLOB")],
        "others in concert": [
            row.name for row in kernels.IN_CONCERT if row.name not in (kernels.BEST_NAME, kernels.BEST_IN_UNIFORMS)
        ],
    }

    def measure(self, run: Run) -> dict[str, Grid]:
        batch = SOFTWARE_BATCH if run.software else QUICK_BATCH if run.quick else BATCH
        case = Case((batch, LENGTH), axes=(1,), storage=STORAGES["buffer"])

        with ExitStack() as shared:
            images = kernels.Images(run, batch, shared)

            def maker(row: kernels.Row) -> Maker:
                return lambda _: kernels.transforms(run, row, images)

            rows = {row.name: maker(row) for row in kernels.ROWS}
            batches = run.time({batch: {**rows, **run.plans(case, ["auto"]), **run.libraries(case)}})
        return {"batches": batches, "channelizer": channelizer_stages.measure(run)}

    def words(self, measured: Measured) -> dict[str, str]:
        return {**super().words(measured), "batch": str(BATCH), "software_batch": str(SOFTWARE_BATCH)}

    def over_baseline(self, batches: Grid, rows: tuple[kernels.Row, ...] = kernels.ROWS[1:]) -> Rows:
        """The baseline's time over that of each kernel."""
        return {row.name: batches.ratios([kernels.BASELINE.name], [row.name]) for row in rows}

    def bars_alone(self, batches: Grid) -> Rows:
        """Figure 4 and what stands beside it."""
        return self._bars(batches, (kernels.IN_DOUBLE, kernels.UNIT_STRIDE, *kernels.ALONE, *kernels.OURS))

    def bars_in_concert(self, batches: Grid) -> Rows:
        """Figure 5 and what stands beside it."""
        return self._bars(batches, (*kernels.IN_CONCERT, *kernels.BESIDE))

    def _bars(self, batches: Grid, rows: tuple[kernels.Row, ...]) -> Rows:
        found = self.over_baseline(batches, rows)
        return {"here": {name: next(iter(cells.values())) for name, cells in found.items() if cells}}

    def published_bars(self, alone: Grid) -> Rows:
        """The published bars of figure 4 by device."""
        return {device: {row: each[device] for row, each in alone.cells.items()} for device in alone.points}
