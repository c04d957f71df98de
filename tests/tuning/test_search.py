"""Tuning: every kernel it may pick is right, the search finds the fastest, and plans change at the end or never."""

from __future__ import annotations

import itertools
import json
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest
from support import images as carriers
from support.gl_objects import live_objects
from support.images import random_values
from support.tolerances import assert_close, half_db

import glfft
from glfft.algorithms.passes import AxisRequest
from glfft.algorithms.stockham import choose
from glfft.algorithms.stockham.candidates import MOST, MOST_QUICK, candidates, variants
from glfft.algorithms.stockham.kernel import Kernel, kernel_pass
from glfft.algorithms.storage import STORAGES, Storage
from glfft.commands import cli
from glfft.engine.compiled_pass import Pass
from glfft.errors import ReleasedError, ShaderError, TextureError
from glfft.gl.context import driver_of, state_of
from glfft.gl.device import Limits
from glfft.tuning.measure import LocalSearch
from glfft.tuning.report import describe
from glfft.tuning.search import Search, Trial
from glfft.tuning.workbench import Workbench, plain, tunable
from glfft.wisdom import store
from glfft.wisdom.entries import parse, to_json

LEAST = Limits(16384, 32768, 1024, (1024, 1024, 64), (65535, 65535, 65535), 8, 16)
MORE = replace(LEAST, shared_memory=49152)
DEVICES = {"llvmpipe (LLVM 15.0.6, 256 bits)": LEAST, "NVIDIA H200/PCIe/SSE2": MORE, "A device of 2030": MORE}
LENGTHS = [2**exponent for exponent in range(1, 14)]


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's file that is not there yet."""
    path = tmp_path / "wisdom.json"
    monkeypatch.setenv(store.VARIABLE, str(path))
    return path


def lines_of(
    length: int, storage: str = "rg32f", renderer: str = "llvmpipe", axis: int = 1, lines: int = 64, **more: Any
) -> AxisRequest:
    shape = (lines, length) if axis == 1 else (length, lines)
    limits = DEVICES.get(renderer, LEAST)
    return AxisRequest(shape, axis, -1, 1.0, False, None, STORAGES[storage], limits, renderer, **more)


def all_requests() -> Iterator[AxisRequest]:
    for renderer, length, storage, axis, lines in itertools.product(DEVICES, LENGTHS, STORAGES, (0, 1), (1, 4096)):
        wanted = lines_of(length, storage, renderer, axis, lines)
        if length <= choose.longest_at_once(wanted.limits, wanted.storage):
            yield wanted


def reachable(wanted: AxisRequest) -> list[Kernel]:
    """What a search may measure and so pick: the candidates, and what is one change from them."""
    found = dict.fromkeys(candidates(wanted))
    return list(dict.fromkeys([*found, *(each for kernel in found for each in variants(kernel, wanted))]))


def test_every_candidate_fits_its_device_and_its_line() -> None:
    for wanted in all_requests():
        found = candidates(wanted)
        assert found[0] == choose.choose(wanted)[0]
        assert len(set(found)) == len(found) <= MOST
        assert found[:MOST_QUICK] == candidates(wanted, quick=True)
        for kernel in [*found, *variants(found[0], wanted)]:
            assert kernel.length == wanted.length
            assert kernel.fits(wanted.limits, wanted.storage.value_bytes)


def test_there_is_a_choice_where_there_can_be_one() -> None:
    for renderer in DEVICES:
        for length in (64, 256, 1024):
            found = candidates(lines_of(length, renderer=renderer))
            assert len(found) >= 16
            assert len({kernel.radices for kernel in found}) >= 4
            assert len({kernel.lines for kernel in found}) >= 3
            assert variants(found[0], lines_of(length, renderer=renderer))


def test_variants_differ_in_one_option() -> None:
    wanted = lines_of(256, renderer="A device of 2030")
    kernel = Kernel((8, 8, 4), 8, 4, side_by_side=True, padding=16)
    found = variants(kernel, wanted)
    assert len(set(found)) == len(found)
    changed = [
        {name for name in vars(kernel) if getattr(kernel, name) != getattr(each, name)} - {"side_by_side"} or {"side"}
        for each in found
    ]
    assert all(len(names) == 1 for names in changed)
    every = {"radices", "points", "lines", "side", "exchange", "padding", "sampled_twiddles", "early_twiddles"}
    assert set().union(*changed) == every


def sample_of_candidates() -> list[tuple[Kernel, AxisRequest]]:
    """Some of what tuning may pick, over lengths, storages, axes, layers and directions."""
    generator = random.Random(11)
    sample = []
    for index, length in enumerate([2, 8, 16, 64, 128, 256, 512, 1024, 16, 64, 256, 512, 4, 32, 2048, 4096, 128, 1024]):
        storage = list(STORAGES)[index % len(STORAGES)]
        wanted = lines_of(length, storage, axis=index % 2, lines=(5, 3, 11)[index % 3])
        quick = [kernel for kernel in reachable(wanted) if kernel.points * len(kernel.radices) <= 48]
        kernel = generator.choice(quick)
        sample.append((kernel, replace(wanted, layers=(None, 2)[index // 2 % 2], direction=(-1, 1)[index // 3 % 2])))
    return sample


def more_candidates(count: int) -> Iterator[tuple[Kernel, AxisRequest]]:
    """Any of what tuning may pick on any device, as often as asked for."""
    generator = random.Random(count)
    everything = list(all_requests())
    for _ in range(count):
        wanted = generator.choice(everything)
        kernel = generator.choice(reachable(wanted))
        few = lines_of(wanted.length, wanted.storage.name, axis=wanted.axis, lines=generator.choice([1, 3, 5, 11]))
        yield kernel, replace(few, layers=generator.choice([None, 2]), direction=generator.choice([-1, 1]))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A sample of candidates, and as many more as are asked for."""
    if "candidate" in metafunc.fixturenames:
        cases = [*sample_of_candidates(), *more_candidates(int(metafunc.config.getoption("candidates") or 0))]
        metafunc.parametrize("candidate", cases, ids=lambda case: f"{case[1].storage.name}-{case[0]}"[:60])


def test_candidates_transform_and_repeat_bit_by_bit(
    ctx: moderngl.Context, candidate: tuple[Kernel, AxisRequest]
) -> None:
    kernel, wanted = candidate
    wanted = replace(wanted, limits=state_of(ctx).limits)
    if not kernel.fits(wanted.limits, wanted.storage.value_bytes):
        pytest.skip("it is for devices of more shared memory")
    storage = wanted.storage
    values = random_values(storage, wanted.shape, wanted.layers, seed=wanted.length)
    each = Pass(ctx, kernel_pass(wanted, kernel))
    spoilt = values.copy()
    np.moveaxis(spoilt, wanted.axis - 2, -1)[-1, -1, 0, -1] = complex(np.nan, np.nan)
    results = []
    for given in (values, values, spoilt):
        source = carriers.upload(ctx, given, storage, wanted.layers)
        target = carriers.blank(ctx, wanted.shape, storage, wanted.layers)
        each.run(source, target)
        ctx.memory_barrier()
        results.append(carriers.download(target, storage, wanted.shape, wanted.layers))
        assert carriers.download(source, storage, wanted.shape, wanted.layers).tobytes() == given.tobytes()
        carriers.release(source, target)
    transform = np.fft.fft if wanted.direction < 0 else np.fft.ifft
    norm = "backward" if wanted.direction < 0 else "forward"
    exact = transform(values.astype(np.complex128), axis=wanted.axis - 2, norm=norm)
    assert_close(results[0], exact, half_db(1) if storage.dtype == "f2" else 130.0)
    assert results[0].tobytes() == results[1].tobytes()
    # One number that is none spoils its line and nothing else.
    clean, spoilt = (np.moveaxis(result, wanted.axis - 2, -1) for result in (results[0], results[2]))
    of_spoilt_line = np.isnan(spoilt)
    assert of_spoilt_line[-1, -1, 0].all()
    assert of_spoilt_line.sum() == wanted.length
    assert np.array_equal(spoilt[~of_spoilt_line], clean[~of_spoilt_line])


def run_search(search: Search, cost: Callable[[Kernel], float | None]) -> list[Trial]:
    """Search where a kernel takes what is said, in multiples of the one in use."""
    trials = []
    while (trial := search.ask()) is not None:
        trials.append(trial)
        search.tell(trial, cost(trial.kernel))
        assert 0 <= search.share_done <= 1
    return trials


@pytest.mark.parametrize("quick", [False, True])
def test_a_search_ends_and_finds_the_fastest_candidate(quick: bool) -> None:
    wanted = lines_of(1024, renderer="A device of 2030")
    for fastest in candidates(wanted, quick):
        search = Search(wanted, quick)
        trials = run_search(search, lambda kernel, best=fastest: 0.8 if kernel == best else 1.2)
        assert search.winner == ((fastest, 0.8) if fastest != search.reference else (search.reference, 1.0))
        assert len(trials) == search.measured <= (MOST_QUICK if quick else 60)
        kernels = [trial.kernel for trial in trials if not trial.thorough]
        assert len(set(kernels)) == len(kernels)


def test_a_search_climbs_to_what_no_candidate_is() -> None:
    wanted = lines_of(1024, renderer="A device of 2030")
    start = candidates(wanted)[3]
    (goal,) = [
        each
        for each in variants(replace(start, padding=32), wanted)
        if each == replace(start, padding=32, sampled_twiddles=not start.sampled_twiddles)
    ]
    assert goal not in candidates(wanted)

    def cost(kernel: Kernel) -> float:
        wrong = sum(getattr(kernel, name) != getattr(goal, name) for name in vars(goal))
        return 0.5 + 0.1 * wrong

    search = Search(wanted)
    run_search(search, cost)
    assert search.winner == (goal, 0.5)


def test_a_kernel_hardly_faster_does_not_take_over() -> None:
    for renderer, hardly, clearly in (("llvmpipe", 0.98, 0.96), ("A device of 2030", 0.995, 0.98)):
        for ratio, takes_over in ((hardly, False), (clearly, True)):
            search = Search(lines_of(256, renderer=renderer))
            run_search(search, lambda kernel, ratio=ratio: ratio)
            assert (search.winner != (search.reference, 1.0)) == takes_over


def test_a_lucky_sample_does_not_win() -> None:
    search = Search(lines_of(256))
    while (trial := search.ask()) is not None:
        search.tell(trial, 1.1 if trial.thorough else 0.5)
    assert search.winner == (search.reference, 1.0)


def test_what_fails_is_counted_and_never_wins() -> None:
    search = Search(lines_of(256))
    trials = run_search(search, lambda kernel: None)
    assert search.winner == (search.reference, 1.0)
    assert search.discarded == search.measured == len(trials)


def check(bench: Workbench, compiled: Pass) -> None:
    for _ in bench.check(compiled):
        pass


def assert_fingerprints_tell(ctx: moderngl.Context, wanted: AxisRequest, kernel: Kernel) -> None:
    """Fail unless right kernels have the same fingerprint, and wrong ones another."""
    bench = Workbench(ctx, wanted)

    def fingerprint(spec_request: AxisRequest, cut: Kernel) -> Any:
        check(bench, Pass(ctx, kernel_pass(spec_request, cut)))
        return bench.fingerprint()

    right = fingerprint(bench.request, choose.reasoned(wanted))
    assert bench.same(fingerprint(bench.request, kernel), right)
    wrong = {
        "the other direction": replace(bench.request, direction=1),
        "a percent too large": replace(bench.request, scale=1.05),
        "not a number": replace(bench.request, scale=float("nan")),
    }
    for what, spec_request in wrong.items():
        if what == "not a number":
            spec = kernel_pass(bench.request, kernel)
            defines = tuple((key, "sqrt(-1.0)" if key == "SCALE" else value) for key, value in spec.defines)
            check(bench, Pass(ctx, replace(spec, defines=defines)))
            assert not bench.same(bench.fingerprint(), right), what
        else:
            assert not bench.same(fingerprint(spec_request, kernel), right), what
    # The last line of each layer left out, where the right result of an earlier pass has been.
    assert bench.same(fingerprint(bench.request, kernel), right)
    spec = kernel_pass(bench.request, kernel)
    fewer = tuple((key, int(value) - 1 if key == "LINE_COUNT" else value) for key, value in spec.defines)
    fewer = tuple((key, "false" if key == "EVERY_LINE_EXISTS" else value) for key, value in fewer)
    check(bench, Pass(ctx, replace(spec, defines=fewer)))
    assert not bench.same(bench.fingerprint(), right), "a line missing"
    bench.release()


@pytest.mark.parametrize("storage", STORAGES.values(), ids=lambda storage: storage.name)
def test_fingerprints_tell_right_from_wrong(ctx: moderngl.Context, storage: Storage) -> None:
    layers, axis = ((None, 1), (3, 0))[list(STORAGES).index(storage.name) % 2]
    wanted = replace(lines_of(16, storage.name, axis=axis, lines=40), layers=layers, limits=state_of(ctx).limits)
    assert_fingerprints_tell(ctx, wanted, Kernel((2, 8), 8, lines=2))


@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_a_bench_leaves_nothing(ctx: moderngl.Context) -> None:
    wanted = replace(lines_of(16), limits=state_of(ctx).limits)
    Workbench(ctx, wanted).release()
    state_of(ctx).release_dropped()
    before = live_objects(ctx)
    Workbench(ctx, wanted).release()
    assert live_objects(ctx) == before
    Workbench(ctx, wanted)
    state_of(ctx).release_dropped()
    assert live_objects(ctx) == before


def favour(monkeypatch: pytest.MonkeyPatch, radices: tuple[int, ...]) -> None:
    """Let kernels of these radices be the fastest by far, whatever the clock says."""

    def time(
        search: LocalSearch, bench: Workbench, reference: Pass, each: Pass, thorough: bool, times: list[float]
    ) -> Iterator[float]:
        times.append(8.0)
        return 0.5 if each.spec.radices == radices else 2.0
        yield

    monkeypatch.setattr(LocalSearch, "_time", time)


def radices_of(plan: glfft.Plan) -> set[tuple[int, ...]]:
    return {each.spec.radices for way in plan._ways.values() for each in way.passes}


def transforms(plan: glfft.Plan) -> None:
    """Fail unless a plan transforms."""
    values = random_values(plan.request.storage, plan.shape, plan.request.layers)
    result = carriers.run(plan, values)
    assert_close(result, np.fft.fft2(values.astype(np.complex128)))


def test_a_tuned_plan_runs_the_fastest_and_so_do_plans_to_come(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    favour(monkeypatch, (4, 2))
    shares: list[float] = []
    with glfft.Plan(ctx, (8, 8)) as plan:
        assert radices_of(plan) == {(8,)}
        report = plan.tune(shares.append, quick=True)
        assert radices_of(plan) == {(4, 2)}
        transforms(plan)
        assert "rows: tuned on this device: 4 us a pass of 64 points of rg32f" in plan.explain()
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert [(each.before.radices, each.after.radices, each.ratio) for each in report.passes] == [
        ((8,), (4, 2), 2.0)
    ] * 2
    assert "8 columns of 8" in report.to_text()
    assert "4x2" in str(report)
    with glfft.Plan(ctx, (8, 8)) as another:
        assert radices_of(another) == {(4, 2)}
    entries = json.loads(file.read_text())["entries"]
    assert {entry["axis"] for entry in entries} == {0, 1}
    assert {(entry["renderer"], entry["driver"]) for entry in entries} == {(ctx.info["GL_RENDERER"], driver_of(ctx))}


def test_tuning_by_the_clock_leaves_a_plan_that_transforms(ctx: moderngl.Context, file: Path) -> None:
    for layers, storage in ((None, "rg32f"), (2, "buffer")):
        with glfft.Plan(ctx, (4, 16), layers=layers, storage=storage) as plan:
            report = plan.tune(quick=True)
            transforms(plan)
            assert len(report.passes) == 2
            for each in report.passes:
                assert 0 < each.after_microseconds <= each.before_microseconds
                assert each.discarded == 0


def test_a_second_run_starts_from_the_first(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    favour(monkeypatch, (2, 4))
    with glfft.Plan(ctx, (1, 8)) as plan:
        plan.tune(quick=True)
        favour(monkeypatch, (4, 2))
        (found,) = plan.tune(quick=True).passes
        assert (found.before.radices, found.after.radices) == ((2, 4), (4, 2))


@pytest.mark.parametrize("stop", [KeyboardInterrupt, glfft.GlfftError])
@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_a_tuning_that_does_not_end_changes_nothing(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, file: Path, stop: type[BaseException]
) -> None:
    favour(monkeypatch, (4, 2))

    def progress(share: float) -> None:
        if share > 0.6:
            raise stop

    with glfft.Plan(ctx, (8, 8)) as plan:
        before = dict(plan._ways)
        live = None
        for _ in range(2):
            with pytest.raises(stop):
                plan.tune(progress, quick=True)
            assert plan._ways == before
            assert not store.entries()
            assert not file.exists()
            # The first has compiled programs that stay cached.
            assert live in (None, live_objects(ctx))
            live = live_objects(ctx)
        transforms(plan)


@pytest.mark.filterwarnings("ignore:A kernel for")
def test_kernels_that_are_wrong_or_refused_are_not_taken(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    favour(monkeypatch, (4, 2))
    compile_kernel = Workbench.compile

    def sabotaged(bench: Workbench, kernel: Kernel) -> Pass:
        if kernel.radices == (2, 4):
            raise ShaderError("refused")
        if kernel.radices == (4, 2):
            return Pass(bench._ctx, kernel_pass(replace(bench.request, direction=1), kernel))
        return compile_kernel(bench, kernel)

    monkeypatch.setattr(Workbench, "compile", sabotaged)
    with glfft.Plan(ctx, (1, 8)) as plan:
        with pytest.warns(UserWarning, match=r"another result.*4x2"):
            (found,) = plan.tune(quick=True).passes
        assert found.after == found.before
        assert found.discarded >= 2
        assert radices_of(plan) == {(8,)}


@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_what_snippets_were_set_to_outlasts_tuning(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    favour(monkeypatch, (4, 2))
    store = """
    uniform float factor;
    uniform sampler2D weights;
    void store(ivec3 at, value v) { write_target(at, v * factor * texelFetch(weights, at.xy, 0).x); }
    """
    weights = np.linspace(1, 2, 64, dtype=np.float32).reshape(8, 8)
    texture = ctx.texture((8, 8), 1, weights.tobytes(), dtype="f4")
    with glfft.Plan(ctx, (8, 8), store=store) as plan:
        plan.set(factor=3.0, weights=texture)
        plan.tune(quick=True)
        live = live_objects(ctx)
        plan.tune(quick=True)
        assert radices_of(plan) == {(4, 2)}
        values = random_values(plan.request.storage, plan.shape, None)
        assert_close(carriers.run(plan, values), 3.0 * weights * np.fft.fft2(values.astype(np.complex128)))
        plan.set(factor=1.0)
        assert_close(carriers.run(plan, values), weights * np.fft.fft2(values.astype(np.complex128)))
        assert live_objects(ctx) == live
    texture.release()


def test_a_texture_released_before_tuning_is_missed_by_a_run_alone(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    favour(monkeypatch, (4, 2))
    load = """
    uniform sampler2D weights;
    value load(ivec3 at) { return read_source(at) * texelFetch(weights, at.xy, 0).x; }
    """
    texture = ctx.texture((8, 8), 1, dtype="f4")
    source = ctx.texture((8, 8), 2, dtype="f4")
    with glfft.Plan(ctx, (8, 8), load=load) as plan:
        plan.set(weights=texture)
        texture.release()
        plan.tune(quick=True)
        assert radices_of(plan) == {(4, 2)}
        with pytest.raises(TextureError, match="released"):
            plan.forward(source, source)
    source.release()


def test_a_table_tells_kernels_apart() -> None:
    kernel = Kernel((4, 2), 4, lines=2)
    like_it = [
        replace(kernel, **{option: value})
        for option, value in (
            ("radices", (2, 4)),
            ("points", 8),
            ("lines", 4),
            ("side_by_side", True),
            ("exchange", "in turn"),
            ("padding", 16),
            ("sampled_twiddles", True),
            ("twiddle_products", True),
            ("image_loads", True),
            ("line_pairs", True),
            ("early_twiddles", True),
        )
    ]
    assert len(like_it) == len(fields(Kernel))
    assert len({describe(each) for each in (kernel, *like_it)}) == len(like_it) + 1


def test_a_plan_without_a_choice_has_nothing_to_tune(ctx: moderngl.Context, file: Path) -> None:
    for shape, algorithm in (((8, 8), "stockham-radix4"), ((8, 8), "cooley-tukey-stages"), ((1, 1), "auto")):
        with glfft.Plan(ctx, shape, algorithm=algorithm) as plan:
            report = plan.tune()
            assert report.passes == ()
            assert "nothing to tune" in report.to_text()
    assert not file.exists()


def test_a_released_plan_is_not_tuned(ctx: moderngl.Context) -> None:
    plan = glfft.Plan(ctx, (4, 4))
    plan.release()
    with pytest.raises(ReleasedError):
        plan.tune()


def test_both_directions_share_a_search() -> None:
    wanted = lines_of(64)
    back = replace(wanted, direction=1, scale=0.25)
    assert plain(wanted) == plain(back)
    specs = [choose.passes(each)[0] for each in (wanted, back, replace(wanted, axis=0))]
    assert tunable(specs) == [plain(wanted), plain(replace(wanted, axis=0))]


def test_the_command_measures_shows_and_keeps(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["tune", "--sizes", "4,2x8", "--batch", "2", "--quick"]) == 0
    output = capsys.readouterr()
    for shown in ("4 rows of 4 x 2 layers, rg32f", "8 columns of 2", "times as fast", str(file)):
        assert shown in output.out
    assert "%" in output.err  # the progress bar
    assert len(json.loads(file.read_text())["entries"]) == 4


def test_the_command_does_not_say_kept_where_it_could_not_keep(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("something else")
    exported = file.with_name("exported.json")
    assert cli.main(["tune", "--sizes", "2", "--quick", "--export", str(exported)]) == 0
    assert len(parse(exported.read_text())) == 2
    monkeypatch.setenv(store.VARIABLE, "")
    assert cli.main(["tune", "--sizes", "2", "--quick"]) == 0
    output = capsys.readouterr()
    assert "kept in" not in output.out
    assert "kept nowhere: GLFFT_WISDOM is empty" in output.out
    assert f"glfft: note: The tuning results in {file} are ignored" in output.err
    assert file.read_text() == "something else"


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("garbage.json", "not JSON"),
        (".", "directory"),
        ("missing/wisdom.json", "no folder"),
        ("/dev/full", "device"),
        ("pipe", "pipe"),
    ],
)
@pytest.mark.parametrize("asked", ["--sizes 2 --quick", "--import good.json"])
def test_the_command_says_beforehand_that_it_cannot_keep(
    place: str,
    reason: str,
    asked: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("garbage.json").write_text("something else")
    Path("good.json").write_text(to_json([]))
    os.mkfifo("pipe")
    monkeypatch.setenv(store.VARIABLE, place)
    assert cli.main(["tune", *asked.split()]) == 1
    output = capsys.readouterr()
    (line,) = output.err.splitlines()
    assert place in line
    assert reason in line
    assert not output.out


def test_what_is_imported_has_to_go_somewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good, exported = tmp_path / "good.json", tmp_path / "exported.json"
    good.write_text(to_json([]))
    monkeypatch.setenv(store.VARIABLE, "")
    assert cli.main(["tune", "--import", str(good)]) == 1
    assert "no file to keep" in capsys.readouterr().err
    assert cli.main(["tune", "--import", str(good), "--export", str(exported)]) == 0
    assert exported.exists()


def test_a_batch_is_of_pictures_as_for_bench(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["tune", "--sizes", "2", "--batch", "4", "--storage", "rgba32f", "--quick"]) == 0
    assert "2 rows of 2 x 2 layers, rgba32f" in capsys.readouterr().out


def test_sizes_are_checked_before_any_is_measured(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(glfft.Plan, "tune", lambda *_, **__: pytest.fail("measured"))
    assert cli.main(["tune", "--sizes", "1048576,4,100"]) == 2
    assert "100 rows is not a power of two" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ("--sizes 100", 2, "power of two"),
        ("--sizes 1048576", 1, "device's textures"),
        ("--batch 0", 2, "1 or more"),
        ("--batch 3 --storage rgba32f", 2, "must be even"),
        ("--storage rgb", 2, "rg32f"),
        ("--export /no/such/folder/x.json", 1, "no folder"),
        ("--device 4096", 1, "4096"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(
    arguments: str, code: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["tune", *arguments.split()]) == code
    error = capsys.readouterr().err
    assert sentence in error
    assert "Traceback" not in error
