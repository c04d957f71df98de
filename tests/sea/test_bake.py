"""Baked seas: the frames asked for and no others, the same whoever bakes them, and whole."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
import types
from dataclasses import replace
from pathlib import Path

import moderngl
import numpy as np
import pytest
from support.ocean import assert_near

from glfft.errors import MissingExtraError, OptionError, OutputError
from glfft.sea import bake
from glfft.sea.bake import Bake
from glfft.sea.fields import OceanTwin
from glfft.sea.settings import OceanSettings
from glfft.sea.settings_file import read_settings
from glfft.sea.simulation import OceanSimulation
from glfft.sea.wave_textures import read_layers

pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SEA = OceanSettings(size=16, tile=60.0, wind=14.0, choppiness=1.2, foam_lifetime=0.1, foam_threshold=0.95)
BLOCK = 48


def job(folder: Path, **changes: object) -> Bake:
    options = {"settings": SEA, "folder": str(folder), "first": 0, "last": 3, "formats": ("npz",), **changes}
    return Bake(**options)  # pyright: ignore[reportArgumentType]


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir() if each.name != "sea.toml")


def test_frames_are_those_of_the_sea(ctx: moderngl.Context, tmp_path: Path):
    wanted = job(tmp_path, first=2, last=4, frames_per_second=8.0, start=5.0)
    seen: list[int] = []
    assert bake.run(wanted, progress=seen.append, ctx=ctx) == 2
    assert seen == [2, 3]
    assert names(tmp_path) == ["sea_00002.npz", "sea_00003.npz"]
    assert read_settings(tmp_path / "sea.toml") == SEA
    with np.load(tmp_path / "sea_00003.npz") as file:
        expected = OceanTwin(SEA).evaluate(5.0 + 3 / 8)
        assert_near(file["displacement"][..., 1], expected["height"], abs=1e-4)
        for axis, name in ((0, "dx"), (2, "dz")):
            assert_near(file["displacement"][..., axis], 1.2 * expected[name], abs=1e-4)
        assert_near(file["slopes"][..., 1], expected["slope_z"], abs=1e-4)
        assert 0 < file["foam"].mean() < 1
        assert (file["tile"], file["time"], file["seed"]) == (60.0, 5.375, SEA.seed)


def test_what_is_missing_is_written_and_no_more_and_always_the_same(ctx: moderngl.Context, tmp_path: Path):
    first, last = BLOCK - 2, BLOCK + 2
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert bake.run(job(whole, first=first, last=last), ctx=ctx) == 4
    # Another order, in shards, and with a file that was lost.
    assert bake.run(job(parts, first=BLOCK + 1, last=last), ctx=ctx) == 1
    assert bake.run(job(parts, first=first, last=last), (2, 2), ctx=ctx) == 1
    kept = {each.name: each.stat().st_mtime_ns for each in parts.iterdir()}
    assert bake.run(job(parts, first=first, last=last), (1, 2), ctx=ctx) == 2
    assert bake.run(job(parts, first=first, last=last), ctx=ctx) == 0
    assert {name: (parts / name).stat().st_mtime_ns for name in kept} == kept
    (parts / names(parts)[1]).unlink()
    assert bake.run(job(parts, first=first, last=last), ctx=ctx) == 1
    assert names(parts) == names(whole)
    for name in names(whole):
        assert (parts / name).read_bytes() == (whole / name).read_bytes(), name


@pytest.mark.parametrize("rate", [24.0, 240.0])
def test_foam_does_not_jump_between_blocks(ctx: moderngl.Context, tmp_path: Path, rate: float):
    sea = replace(SEA, size=32, foam_lifetime=1.0, foam_threshold=0.8)
    block = job(tmp_path, settings=sea, frames_per_second=rate).frames_a_block
    wanted = job(tmp_path, settings=sea, frames_per_second=rate, first=block - 4, last=block + 4)
    bake.run(wanted, ctx=ctx)
    foam = [np.load(tmp_path / name)["foam"] for name in names(tmp_path)]
    changes = [np.abs(after - before).mean() for before, after in itertools.pairwise(foam)]
    # Twice as much if the foam of the water before had been built up in longer steps to the last.
    assert changes[3] < 1.4 * np.median(changes)


# Foam in steps of frames would stay below its mean at 0.5 frames a second, but for each block's first.
@pytest.mark.parametrize("rate", [0.005, 0.5, 1.0, 3.0])
def test_few_frames_a_second_have_the_foam_of_many(ctx: moderngl.Context, tmp_path: Path, rate: float):
    sea = replace(SEA, size=32, foam_threshold=0.75, foam_lifetime=20.0)
    bake.run(job(tmp_path, settings=sea, first=BLOCK - 2, last=BLOCK + 2, frames_per_second=rate), ctx=ctx)
    for frame, name in enumerate(names(tmp_path), BLOCK - 2):
        with OceanSimulation(ctx, sea) as simulation:
            simulation.build_up_foam(frame / rate, 6.0)
            simulation.update(frame / rate)
            expected = read_layers(simulation.foam)[0, ..., 0]
        assert np.load(tmp_path / name)["foam"].mean() == pytest.approx(expected.mean(), rel=0.04)


@pytest.mark.parametrize(("rate", "lifetime"), [(24.0, 4.0), (24.0, 60.0), (120.0, 4.0), (120.0, 60.0)])
def test_a_block_is_long_beside_the_foam_before_it(rate: float, lifetime: float):
    wanted = job(Path("x"), settings=replace(SEA, foam_lifetime=lifetime), frames_per_second=rate)
    assert wanted.frames_a_block >= rate * lifetime / 2


def test_every_block_belongs_to_one_shard():
    wanted = job(Path("x"), first=5, last=200)
    shards = [wanted.blocks((which, 3)) for which in (1, 2, 3)]
    assert sorted(frame for shard in shards for block in shard for frame in block) == list(range(5, 200))


def test_without_openexr_the_extra_is_named_before_any_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "OpenEXR", None)
    with pytest.raises(MissingExtraError, match=r"\[exr\]"):
        bake.run(job(tmp_path / "new", formats=("exr",)))
    assert not (tmp_path / "new").exists()


def test_without_dask_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"\[dask\]"):
        bake.run_on_dask(job(tmp_path), "tcp://127.0.0.1:1")


def test_a_cluster_without_workers_and_a_scheduler_that_is_lost_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    class Client:
        """As of a cluster with nobody in it."""

        loop = None

        def __init__(self, *arguments: object, **options: object) -> None: ...

        def __enter__(self) -> Client:
            return self

        def __exit__(self, *error: object) -> None: ...

        def nthreads(self) -> dict[str, int]:
            return {}

        def submit(self, *arguments: object, **options: object) -> object:
            return object()

    def lost(futures: object, loop: object) -> None:
        raise ConnectionResetError("reset\nby peer")

    stub = types.ModuleType("distributed")
    stub.Client, stub.as_completed = Client, lost  # pyright: ignore[reportAttributeAccessIssue]
    monkeypatch.setitem(sys.modules, "distributed", stub)
    with (
        pytest.warns(UserWarning, match="has no workers yet"),
        pytest.raises(OutputError, match=r"scheduler at tcp://127\.0\.0\.1:1 was lost \(reset by peer\)"),
    ):
        bake.run_on_dask(job(tmp_path), "tcp://127.0.0.1:1")


@pytest.mark.parametrize("address", ["", "foo", "tcp://[", "tcp://10.0.0.1", "tcp://10.0.0.1:99999", "a b:1"])
def test_what_is_no_address_of_a_cluster_is_refused_before_anything_is_made(tmp_path: Path, address: str):
    with pytest.raises(OptionError, match="is no address of a Dask scheduler"):
        bake.run_on_dask(job(tmp_path / "new"), address)
    assert not (tmp_path / "new").exists()


def test_another_sea_does_not_come_among_the_files(tmp_path: Path):
    wanted = job(tmp_path, last=1, foam=False)
    bake.run(wanted)
    for other in (replace(wanted, settings=replace(SEA, seed=2)), replace(wanted, frames_per_second=25.0)):
        with pytest.raises(OutputError, match="another folder"):
            bake.run(other)
    assert names(tmp_path) == ["sea_00000.npz"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"first": 3}, "3:3"),
        ({"first": -1}, "from 0"),
        ({"frames_per_second": 0.0}, "over 0"),
        ({"frames_per_second": 1e300}, "at most 10000"),
        ({"formats": ("png",)}, "among exr, npz, obj"),
        ({"formats": ()}, "among"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path: Path, changes: dict, said: str):
    with pytest.raises(OptionError, match=said):
        job(tmp_path, **changes)


def test_a_shard_that_is_none_is_refused_before_anything_is_made(tmp_path: Path):
    for shard in ((0, 2), (3, 2), (1, 0)):
        with pytest.raises(OptionError, match="I from 1 to N"):
            bake.run(job(tmp_path / "new"), shard)
    assert not (tmp_path / "new").exists()


def test_a_full_disk_leaves_whole_files_only(tmp_path: Path):
    pytest.importorskip("resource")
    program = (
        "import resource, sys\n"
        "from glfft.errors import OutputError\n"
        "from glfft.sea import bake\n"
        "from glfft.sea.settings import OceanSettings\n"
        "job = bake.Bake(OceanSettings(size=16), sys.argv[1], 0, 2, formats=('npz', 'obj'), foam=False)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (12000, 12000))\n"
        "try:\n"
        "    bake.run(job)\n"
        "except OutputError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"Cannot write {tmp_path / 'sea_00000.obj'}: file too large.\n"
    assert names(tmp_path) == ["sea_00000.npz"]
    with np.load(tmp_path / "sea_00000.npz") as file:
        assert file["displacement"].shape == (16, 16, 3)


@pytest.mark.slow
def test_a_cluster_loses_a_worker_and_no_frame(tmp_path: Path):
    distributed = pytest.importorskip("distributed")
    wanted = job(tmp_path / "cluster", settings=replace(SEA, size=256), last=80, foam=False)
    snapshot: dict[str, tuple[int, int]] = {}
    killed: list[int] = []
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, scheduler_port=0
    )
    # No default client, as in a program that has none of its own.
    with cluster, distributed.Client(cluster, set_as_default=False) as client:
        pids = client.run(os.getpid)

        def kill_one(frame: int) -> None:
            if not killed:
                killed.append(next(iter(pids.values())))
                os.kill(killed[0], signal.SIGKILL)
                time.sleep(0.2)
                snapshot.update(
                    {
                        each.name: (each.stat().st_ino, each.stat().st_mtime_ns)
                        for each in (tmp_path / "cluster").glob("sea_*.npz")
                    }
                )

        bake.run_on_dask(wanted, cluster.scheduler_address, kill_one)
    assert killed
    assert 0 < len(snapshot) < 80
    assert names(tmp_path / "cluster") == [f"sea_{frame:05d}.npz" for frame in range(80)]
    for name, before in snapshot.items():
        after = (tmp_path / "cluster" / name).stat()
        assert (after.st_ino, after.st_mtime_ns) == before, f"{name} was written twice"
    alone = replace(wanted, folder=str(tmp_path / "alone"))
    assert bake.run(alone) == 80
    for name in names(tmp_path / "alone"):
        assert (tmp_path / "alone" / name).read_bytes() == (tmp_path / "cluster" / name).read_bytes()
