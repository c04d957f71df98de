"""The benchmark: what it measures of whom, its arithmetic, its tables and its JSON."""

from __future__ import annotations

import dataclasses
import importlib
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import moderngl
import numpy as np
import pytest
from support.paths import ROOT

from glfft import accuracy
from glfft.accuracy import floor_db, random_complex, snr_db
from glfft.algorithms.registry import by_name
from glfft.algorithms.storage import STORAGES
from glfft.bench import own, run, suite
from glfft.bench.cases import FLOAT32, Case, OceanCase
from glfft.bench.contender import IN_PLACE, OUT_OF_PLACE, Measured
from glfft.bench.images import ImagePair, copies
from glfft.bench.own import Own, Setup, set_up, submission_us
from glfft.bench.peers import Peers, open_peers
from glfft.bench.reference import REFERENCES
from glfft.bench.report import Report, Result, Verdict
from glfft.bench.run import Run, benchmark
from glfft.bench.suite import SUITE, Group
from glfft.bench.table import render
from glfft.bench.workload import Workload
from glfft.commands import bench, cli
from glfft.commands.arguments import shapes
from glfft.engine.images import Carriers
from glfft.errors import ContextError, LimitError, MissingExtraError, OptionError
from glfft.gl.context import state_of
from glfft.plan import Plan
from glfft.tuning.timing import ContextTimer, Timing


def measured(out_of_place: float, in_place: float | None = None, snr: float = 137.0) -> Measured:
    times = {OUT_OF_PLACE: out_of_place, **({} if in_place is None else {IN_PLACE: in_place})}
    return Measured({way: Timing(time, (0.9 * time, 1.1 * time), 5, "wall") for way, time in times.items()}, snr)


RESULT = Result(
    case=Case((4, 8), batch=3),
    algorithm="stockham-radix4",
    measured=measured(12.0, 10.0),
    bytes_moved=1024,
    dispatches=2,
    floor_db=130.0,
    copy=Timing(4.0, (4.0, 4.0), 5, "wall"),
    setup=Setup(123.0, 4.56),
    python_us=7.89,
    peers={"scipy": measured(20.0), "cufft": measured(40.0, 30.0)},
)


def report(results: Sequence[Result] = (RESULT,), groups: Sequence[Group] = ()) -> Report:
    return Report("a device", {"peers": {"scipy": "scipy.fft 1.17"}}, results, ["too long."], groups)


def test_rates_ratio_and_share_follow_their_definitions() -> None:
    assert RESULT.microseconds == 10.0  # the faster way
    assert RESULT.gflops == pytest.approx(3 * 5 * 32 * 5 / 10e-6 / 1e9)
    assert RESULT.gbytes_per_s == pytest.approx(1024 / 10e-6 / 1e9)
    assert RESULT.copy_share == pytest.approx(2 * 4.0 / 10.0)
    assert RESULT.ratio("scipy") == 2.0
    assert RESULT.ratio("cufft") == 3.0  # the best of either
    assert RESULT.ratio("pyfftw") is None


def test_one_axis_counts_the_stages_of_that_axis() -> None:
    assert Case((64, 16), axes=(1,)).operations == 5 * 64 * 16 * 4
    assert Case((64, 16), 2, axes=(0,)).operations == 2 * 5 * 64 * 16 * 6


def test_the_tables_show_what_was_measured_and_what_was_not() -> None:
    text = render(report())
    wanted = ("a device", "scipy.fft 1.17", "4x8 x 3", "12.0", "10.0", "9.00 to 11.0", "80%", "137.0", "2.00", "3.00")
    for shown in (*wanted, "123", "4.56", "7.89", "too long."):
        assert shown in text
    assert "WRONG" not in text
    assert "WRONG" in render(report([dataclasses.replace(RESULT, measured=measured(1.0, snr=129.9))]))


def test_a_peer_that_could_not_do_a_case_leaves_a_gap() -> None:
    alone = dataclasses.replace(RESULT, peers={})
    rows = [line.split() for line in render(report([RESULT, alone])).splitlines() if line.startswith("4x8")]
    assert rows[0][-4:] == ["20.0", "2.00", "30.0", "3.00"]
    assert rows[1][-4:] == ["-"] * 4


# ---- Cases and their data


def test_titles_tell_the_cases_apart() -> None:
    assert Case((512, 1024)).title == "512x1024"
    assert Case((512, 512), 12, storage=STORAGES["rg16f"]).title == "512x512 x 12 rg16f"
    assert Case((16384, 16), 64, axes=(1,)).title == "1-D 16 x 1048576"
    cases = [case for group in SUITE for case in group.cases]
    assert len({case.title for case in cases}) == len(cases) == 18


@pytest.mark.parametrize("storage", STORAGES.values(), ids=STORAGES)
def test_pictures_pack_into_every_storage_and_back(ctx: moderngl.Context, storage: Any) -> None:
    workload = Workload(Case((4, 8), batch=6, storage=storage))
    packed = workload.packed(storage)
    assert packed.shape == (6 // (storage.components // 2), 4, 8, storage.components)
    assert np.array_equal(workload.unpacked(packed.tobytes(), storage), workload.pictures)
    if storage.paired:
        assert np.array_equal(packed[1, ..., 2:].astype(np.float32).view(np.complex64)[..., 0], workload.pictures[3])


def test_two_pictures_a_texel_need_an_even_batch() -> None:
    assert Case((4, 4), 2, storage=STORAGES["rgba32f"]).layers is None
    assert Case((4, 4), 4, storage=STORAGES["rgba32f"]).layers == 2
    with pytest.raises(OptionError, match="must be even"):
        Case((4, 4), 3, storage=STORAGES["rgba32f"])


def test_of_a_large_batch_a_few_pictures_are_compared_and_a_wrong_one_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glfft.bench.workload._COMPARED_POINTS", 100)
    workload = Workload(Case((8, 8), batch=9))
    right = np.fft.fft2(workload.pictures.astype(np.complex128))
    assert workload.snr_db(right) > 250
    for index in (0, 4, 8):
        wrong = right.copy()
        wrong[index] = workload.pictures[index]
        assert workload.snr_db(wrong) < 10


@pytest.mark.parametrize("storage", STORAGES.values(), ids=STORAGES)
def test_a_contender_of_our_own_transforms_what_it_is_given(ctx: moderngl.Context, storage: Any) -> None:
    workload = Workload(Case((8, 16), batch=4, storage=storage))
    images = ImagePair(ctx, workload, storage)
    with ContextTimer(ctx) as timer:
        contender = Own(timer, images, "auto")
        assert contender.snr_db() >= contender.floor_db == floor_db(128, storage, 2)
        # Timed over and over, in place too, the numbers keep their size.
        for subject in contender.ways.values():
            for _ in range(5):
                subject.sample()
        kept = workload.unpacked(images._read_target(), storage)
        assert np.linalg.norm(kept) == pytest.approx(np.linalg.norm(workload.pictures), rel=1e-2)
        contender.release()
    images.release()


@pytest.mark.parametrize("storage", STORAGES.values(), ids=STORAGES)
def test_every_copy_that_bandwidth_is_measured_by_copies_everything(ctx: moderngl.Context, storage: Any) -> None:
    workload = Workload(Case((16, 35), batch=6, axes=(0,), storage=storage))
    images = ImagePair(ctx, workload, storage)
    with ContextTimer(ctx) as timer:
        subjects = copies(timer, images)
        assert len(subjects) >= 3
        for subject in subjects:
            images.target.write(np.zeros_like(workload.packed(storage)))
            subject.sample()
            assert np.array_equal(workload.unpacked(images._read_target(), storage), workload.pictures)
    images.release()


def test_asking_is_timed_with_little_in_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "is_software", lambda _ctx: False)
    ctx = PretendContext()
    found = submission_us(ctx, ctx.queue)  # pyright: ignore[reportArgumentType]
    assert found is not None
    assert found > 0
    assert 0 < ctx.most_queued < 100
    monkeypatch.setattr(own, "is_software", lambda _ctx: True)
    assert submission_us(ctx, ctx.queue) is None  # pyright: ignore[reportArgumentType]


class PretendContext:
    """Counts what is queued."""

    queued = most_queued = 0

    def queue(self) -> None:
        self.queued += 1
        self.most_queued = max(self.most_queued, self.queued)

    def finish(self) -> None:
        self.queued = 0


def test_setting_up_is_timed_for_the_first_and_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    ctx = PretendContext()
    made: list[Made] = []
    clock = SimpleNamespace(now=0.0, perf_counter=lambda: clock.now)
    monkeypatch.setattr(own, "time", clock)

    class Made:
        released = False

        def __init__(self) -> None:
            clock.now += 0.001 if made else 0.02
            made.append(self)

        def release(self) -> None:
            self.released = True

    kept, setup = set_up(ctx, Made, lambda each: ctx.queue())  # pyright: ignore[reportArgumentType]
    assert [each.released for each in made] == [True, False]
    assert kept is made[1]
    assert (setup.first_ms, setup.cached_ms) == pytest.approx((20.0, 1.0))
    assert (ctx.queued, ctx.most_queued) == (0, 1)


# ---- Peers


@pytest.mark.parametrize("name", ["scipy", *REFERENCES])
@pytest.mark.parametrize("axes", [(0, 1), (1,)])
def test_a_peer_does_the_transform_it_is_timed_for(name: str, axes: tuple[int, ...]) -> None:
    (peer,) = open_peers([name]).libraries
    contender = peer.contender(Workload(Case((8, 16), batch=2, axes=axes)))
    assert contender.snr_db() > (130 if name == "scipy" else 250)
    assert contender.ways[OUT_OF_PLACE].sample() > 0


def test_fftw_does_the_transform_it_is_timed_for() -> None:
    pytest.importorskip("pyfftw")
    (peer,) = open_peers(["pyfftw"]).libraries
    contender = peer.contender(Workload(Case((8, 16), batch=2)))
    assert contender.snr_db() > 130
    assert contender.ways[OUT_OF_PLACE].sample() > 0
    assert contender.snr_db() > 130


@pytest.mark.parametrize(("name", "module"), [("cufft", "cupy"), ("pyfftw", "pyfftw")])
def test_a_library_that_is_not_installed_is_named(name: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=f"pip install {module}"):
        open_peers([name])


def test_a_library_nobody_knows_is_an_error() -> None:
    with pytest.raises(OptionError, match="choose from scipy, pyfftw, cufft"):
        open_peers(["xyz"])


# ---- A run


def test_json_has_the_documented_shape(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "bench.json"
    arguments = "bench --sizes 16,32x64 --algorithms stockham-radix4,cooley-tukey --against scipy --samples 5 --check"
    assert cli.main([*arguments.split(), "--json", str(target)]) == 0
    output = capsys.readouterr()
    assert "stockham-radix4" in output.out
    assert "32x64" in output.err  # the progress bar
    found = json.loads(target.read_text(), parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert isinstance(found["device"], str)
    ran = [(result["algorithm"], result["shape"]) for result in found["results"]]
    assert ran == [(name, size) for size in ([16, 16], [32, 64]) for name in ("stockham-radix4", "cooley-tukey")]
    for result in found["results"]:
        rows, columns = result["shape"]
        points = rows * columns
        seconds = result["microseconds"] * 1e-6
        assert (result["batch"], result["axes"], result["storage"]) == (1, [0, 1], "rg32f")
        assert seconds > 0
        assert result["microseconds"] == min(result[way]["microseconds"] for way in ("out_of_place", "in_place"))
        assert result["quartiles"][0] <= result["microseconds"] <= result["quartiles"][1]
        assert result["timer"] in ("gpu timestamps", "wall (software renderer)")
        assert result["gflops"] == pytest.approx(5 * points * math.log2(points) / seconds / 1e9)
        # Two passes, each reading and writing every texel of 8 bytes.
        assert result["gbytes_per_s"] == pytest.approx(2 * 2 * 8 * points / seconds / 1e9)
        assert result["copy_share"] == pytest.approx(2 * result["copy_us"] / result["microseconds"])
        assert result["snr_db"] >= result["floor_db"] == 130
        assert result["setup_ms"]["first"] > 0
        assert result["setup_ms"]["cached"] > 0
        scipy = result["peers"]["scipy"]
        assert scipy["ratio"] == pytest.approx(scipy["microseconds"] / result["microseconds"])
        assert scipy["snr_db"] > 130
    assert found["marks"] == []


def test_another_storage_is_compared_with_float32(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = "bench --sizes 8 --batch 2 --storage rgba16f,rg32f --algorithms auto --samples 5 --json -"
    assert cli.main(arguments.split()) == 0
    half, single = json.loads(capsys.readouterr().out)["results"]
    assert (half["batch"], half["storage"], set(half["peers"])) == (2, "rgba16f", {"rg32f"})
    assert half["snr_db"] >= half["floor_db"]
    assert half["snr_db"] < single["floor_db"] < half["peers"]["rg32f"]["snr_db"]
    assert single["peers"] == {}


def test_json_on_standard_output_is_nothing_but_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "--sizes", "1", "--algorithms", "auto", "--samples", "5", "--json", "-"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    # A transform of one point copies it: there is no error to express in dB.
    assert result["snr_db"] is None
    assert result["gflops"] == 0


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ("--sizes 100", 2, "power of two"),
        ("--sizes 0", 2, "at least 1"),
        ("--sizes 1048576", 1, "device's textures"),
        ("--sizes 4 --batch 1048576 --samples 5", 1, "layers"),
        ("--batch 0", 2, "1 or more"),
        ("--batch 3 --storage rgba32f", 2, "must be even"),
        ("--storage rg23f", 2, "did you mean 'rg32f'?"),
        ("--suite --sizes 4", 2, "leave out"),
        ("--algorithms stokham-radix4", 2, "did you mean 'stockham-radix4'?"),
        ("--against scipi", 2, "did you mean 'scipy'?"),
        ("--json /no/such/folder/x.json", 1, "no folder"),
        ("--device 4096", 1, "4096"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(
    arguments: str, code: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["bench", *arguments.split()]) == code
    error = capsys.readouterr().err
    assert sentence in error
    assert "Traceback" not in error


def test_a_size_that_one_algorithm_cannot_do_is_skipped_and_said(ctx: moderngl.Context) -> None:
    too_long = 2 * by_name("stockham-radix2").max_length(state_of(ctx).limits, STORAGES["rg32f"])
    found = benchmark(ctx, [Case((1, too_long)), Case((4, 4))], ["stockham-radix2", "auto"], Peers(), samples=5)
    done = [(result.algorithm, result.case.shape) for result in found.results]
    assert ("auto", (1, too_long)) in done
    assert ("stockham-radix2", (4, 4)) in done
    assert ("stockham-radix2", (1, too_long)) not in done
    assert [sentence for sentence in found.skipped if "stockham-radix2" in sentence and str(too_long) in sentence]


def test_a_case_that_does_not_fit_the_device_is_skipped_and_said(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = Carriers.make

    def make_small(carriers: Carriers) -> Any:
        if carriers._bytes > 1 << 10:
            raise ContextError("The device has not enough memory left.")
        return make(carriers)

    monkeypatch.setattr(Carriers, "make", make_small)
    too_many = Case((4, 4), 1 << 20)
    found = benchmark(ctx, [too_many, Case((16, 16)), Case((4, 4))], ["auto"], Peers(), samples=5)
    assert [result.case.shape for result in found.results] == [(4, 4)]
    assert found.skipped[0].startswith("4x4 x 1048576: layers is 1048576")
    assert found.skipped[1] == "16x16: The device has not enough memory left."


def test_the_progress_comes_to_its_end_whatever_is_skipped(ctx: moderngl.Context) -> None:
    done: list[int] = []
    cases = (Case((4, 4), 1 << 20), Case((4, 4)), Case((8, 8), 2, storage=STORAGES["rgba32f"]))
    with ContextTimer(ctx) as timer:
        measuring = Run(ctx, timer, open_peers(["scipy"]), 5, steps_done=done.append)
        for case in cases:
            measuring.measure(case, ["auto"])
    assert sum(done) == sum(measuring.steps(case, ["auto"]) for case in cases)
    assert len(done) > 2 * 5


def test_a_peer_that_cannot_do_a_case_is_skipped_and_said(ctx: moderngl.Context) -> None:
    class Small:
        name = "small"
        description = "no case is small enough for it"

        def contender(self, workload: Workload) -> Any:
            raise LimitError("It is too large for small.")

    found = benchmark(ctx, [Case((4, 4))], ["auto"], Peers([Small(), *open_peers(["scipy"]).libraries]), samples=5)
    assert found.skipped == ["4x4: It is too large for small."]
    assert [set(result.peers) for result in found.results] == [{"scipy"}]


@pytest.mark.parametrize("case", [Case((8, 8), 2, storage=STORAGES["rg16f"]), OceanCase((32, 32), 4)])
def test_plans_are_tuned_before_they_are_timed_if_asked_for(
    case: Case, ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    tuned: list[Plan] = []
    monkeypatch.setattr(Plan, "tune", lambda plan: tuned.append(plan))
    benchmark(ctx, [case], ["auto"], Peers(), samples=5)
    assert not tuned
    benchmark(ctx, [case], ["auto"], Peers(), samples=5, tune=True)
    assert len(tuned) == 2  # with half storage float32's as well; the ocean has two plans


def test_nothing_is_left_behind(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    make = ImagePair.__init__

    def remember(images: ImagePair, *arguments: Any) -> None:
        make(images, *arguments)
        made.append(images)

    monkeypatch.setattr(ImagePair, "__init__", remember)
    benchmark(ctx, [Case((4, 4), 2, storage=STORAGES["rgba32f"])], ["auto"], Peers(), samples=5)
    assert len(made) == 2  # the case's, and those of float32 beside it
    assert all(
        isinstance(each.mglo, moderngl.InvalidObject) for images in made for each in (images.source, images.target)
    )


def test_a_wrong_transform_shows_and_fails_a_check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Plan, "forward", Plan.inverse)
    arguments = ["bench", "--sizes", "8,1", "--algorithms", "auto", "--samples", "5"]
    assert cli.main(arguments) == 0
    assert "WRONG" in capsys.readouterr().out
    assert cli.main([*arguments, "--check"]) == 1
    output = capsys.readouterr()
    assert "auto at 8x8" in output.err
    assert "1x1" not in output.err.splitlines()[-1]


def test_a_transform_wrong_only_in_place_fails_too(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    forward = Plan.forward

    def wrong_in_place(plan: Plan, src: Any, dst: Any, next_use: str | None = None) -> None:
        (plan.inverse if src is dst else forward.__get__(plan))(src, dst, next_use)

    monkeypatch.setattr(Plan, "forward", wrong_in_place)
    found = benchmark(ctx, [Case((8, 8))], ["auto"], Peers(), samples=5)
    assert len(found.wrong) == 1


# ---- The suite


def test_the_step_of_the_ocean_stands_beside_the_transforms_alone(ctx: moderngl.Context) -> None:
    found = benchmark(ctx, [OceanCase((32, 32), 8)], ["auto"], open_peers(["scipy"]), samples=5)
    (result,) = found.results
    assert result.case.title == "ocean step, 2 tiles of 32x32"
    assert (result.dispatches, result.right) == (2, True)
    assert result.peers["scipy"].snr_db > 130
    assert result.copy_share is None
    assert "ocean step" in render(found)
    assert json.dumps(found.to_json())


def test_a_wrong_ocean_shows(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Plan, "inverse", Plan.forward)
    (result,) = benchmark(ctx, [OceanCase((32, 32), 4)], ["auto"], Peers(), samples=5).results
    assert not result.right


def test_the_suite_on_a_software_renderer_leaves_out_what_takes_minutes(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "is_software", lambda _ctx: True)
    monkeypatch.setattr(suite, "SOFTWARE_POINTS", 100)
    found = benchmark(ctx, [Case((8, 8)), Case((16, 16))], ["auto"], Peers(), samples=5, suite=True)
    assert [result.case.shape for result in found.results] == [(8, 8)]
    assert found.skipped == ["On a software renderer the suite leaves out cases of more than 100 points: 16x16."]
    assert found.verdicts == []


def test_the_suite_has_marks_beside_cufft(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With scipy in cuFFT's place and a suite of two small cases."""
    (stand_in,) = open_peers(["scipy"]).libraries
    stand_in.name = "cufft"
    cases = (Case((8, 8)), Case((4, 8), 2))
    groups = (
        Group("small", "cufft", cases, everywhere=1e-9),
        Group("half", FLOAT32.name, (Case((8, 8), storage=STORAGES["rg16f"]),), somewhere=1e9, times=1),
    )
    monkeypatch.setattr(bench, "SUITE", groups)
    monkeypatch.setattr(run, "SUITE", groups)
    monkeypatch.setattr(bench, "open_peers", lambda names: Peers([stand_in] if names else []))
    assert cli.main(["bench", "--suite", "--samples", "5", "--against", "cufft", "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [result["algorithm"] for result in found["results"]] == ["auto"] * 3
    assert [(mark["group"], mark["cases"], mark["met"]) for mark in found["marks"]] == [
        ("small", ["8x8", "4x8 x 2"], True),
        ("half", ["8x8 rg16f"], False),
    ]
    assert cli.main(["bench", "--suite", "--samples", "5", "--against", "cufft"]) == 0
    output = capsys.readouterr().out
    assert ">= 0.0 met" in output
    assert "Mark, half" in output
    assert cli.main(["bench", "--suite", "--samples", "5"]) == 0
    assert "Mark" not in capsys.readouterr().out


def test_the_page_on_performance_is_made_from_what_the_suite_writes(
    ctx: moderngl.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With scipy in cuFFT's place, and small cases of every kind."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    page = importlib.import_module("make_performance_plot")
    (stand_in,) = open_peers(["scipy"]).libraries
    stand_in.name = "cufft"
    cases = [Case((8, 8)), Case((4, 8), 2), Case((64, 16), 2, axes=(1,)), OceanCase((32, 32), 4)]
    half = Case((8, 8), 2, storage=STORAGES["rgba16f"])
    found = benchmark(ctx, [*cases, half], ["auto"], Peers([stand_in]), samples=5)
    assert found.verdicts == []  # these are not the suite's cases
    written = tmp_path / "suite.json"
    written.write_text(json.dumps(found.to_json()))
    monkeypatch.setattr(page, "DATA", tmp_path / "performance.json")
    page._take(written)

    head, _, *rows = page.table().splitlines()
    assert [row.split(" | ")[0] for row in rows] == ["| 8²", "| 4 × 8 × 2", "| 1D 16 × 128", "| ocean, 1 × 32²"]
    # Neither marks nor, on a software renderer, what Python takes.
    assert {"plain copies", "first plan, ms"} <= set(head.split(" | ")) - {"at least"}
    assert f" | {page._time(found.results[0].measured.ways[IN_PLACE].microseconds)} | " in rows[0]
    (row,) = page.storage_table().splitlines()[2:]
    assert row.startswith("| 8² × 2 | `rgba16f` | ")
    assert page.error_table().splitlines()[0] == "| | 8² |"
    monkeypatch.setattr(page, "HERE", tmp_path)
    pytest.importorskip("matplotlib")
    page.draw()
    assert (tmp_path / "performance.png").stat().st_size > 0


@pytest.mark.parametrize(
    ("ratios", "met"),
    [
        ((0.9, 1.0, 1.2), True),
        ((0.9, 0.95, 1.2), False),  # fast enough only once
        ((0.8, 1.0, 1.2), False),  # one too slow
        ((0.9, 1.2), None),  # the third may be fast
        ((0.8, 1.2), False),
        ((0.9,), None),
        ((), None),
    ],
)
def test_a_mark_is_met_missed_or_open(ratios: tuple[float, ...], met: bool | None) -> None:
    cases = tuple(Case((2**exponent, 2)) for exponent in range(3))
    assert Verdict(Group("three", "cufft", cases, everywhere=0.9, somewhere=1.0, times=2), ratios).met is met


# ---- Accuracy


def test_snr_is_the_ratio_of_norms_in_db() -> None:
    exact = random_complex((8, 8)).astype(np.complex128)
    assert snr_db(exact * (1 + 1e-3), exact) == pytest.approx(60.0)
    assert snr_db(exact, exact) == math.inf
    assert snr_db(exact * np.nan, exact) == -math.inf


def test_floors_fall_as_rounding_errors_add_up() -> None:
    single, half = STORAGES["rg32f"], STORAGES["rg16f"]
    assert floor_db(1 << 20, single, 2) == floor_db(2, single, 2) == accuracy.EXPECTED_DB
    assert floor_db(1 << 24, single, 2) == pytest.approx(130 - 10 * math.log10(24 / 20))
    assert floor_db(1 << 20, half, 2) == pytest.approx(65.0, abs=0.1)
    assert floor_db(1 << 20, half, 4) == pytest.approx(floor_db(1 << 20, half, 2) - 10 * math.log10(2))


def test_random_numbers_are_complex_normal_and_repeat() -> None:
    numbers = random_complex((200, 300), seed=3)
    assert numbers.dtype == np.complex64
    assert np.array_equal(numbers, random_complex((200, 300), seed=3))
    assert not np.array_equal(numbers, random_complex((200, 300), seed=4))
    for part in (numbers.real, numbers.imag):
        assert np.mean(part) == pytest.approx(0.0, abs=0.03)
        assert np.std(part) == pytest.approx(1.0, abs=0.03)
    assert np.mean(numbers.real * numbers.imag) == pytest.approx(0.0, abs=0.03)


def test_sizes_are_read_as_rows_by_columns() -> None:
    assert shapes("256,512x1024, 1x8") == [(256, 256), (512, 1024), (1, 8)]
