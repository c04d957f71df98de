"""A family with kernels of its own only has to be registered: tuning, wisdom, plans and the benchmark take it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest
from support.images import random_values, run
from support.tolerances import COMPOSED_DB, assert_close
from support.tuning import assert_transforms, favour_passes, specs_of, until
from support.wisdom import next_process

import glfft
from glfft.algorithms import registry
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.family import Config, Family
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.stages import CooleyTukey
from glfft.algorithms.stockham import pictures
from glfft.apps import system_report
from glfft.apps.bench import benchmark as bench
from glfft.commands import cli
from glfft.tuning.report import TuningReport
from glfft.wisdom import store
from glfft.wisdom.entries import Entry, read


@dataclass(frozen=True)
class ToyConfig:
    """Threads a line."""

    threads: int


class Toy(Family):
    """Cooley-Tukey in one dispatch, by one thread or by two."""

    name = "toy"
    summary = "for a test"
    tunable = True
    _cooley_tukey = CooleyTukey()

    def supports(self, request: AxisRequest) -> str | None:
        return self._cooley_tukey.supports(request)

    def passes(self, request: AxisRequest, config: Config) -> list[PassSpec]:
        assert isinstance(config, ToyConfig)
        (spec,) = self._cooley_tukey.passes(request, None)
        defines = {**dict(spec.defines), "THREADS": config.threads}
        return [replace(spec, defines=tuple(defines.items()), threads=config.threads)]

    def default(self, request: AxisRequest) -> ToyConfig:
        return ToyConfig(1)

    def fits(self, config: Config, request: AxisRequest) -> bool:
        return isinstance(config, ToyConfig) and request.length % (2 * config.threads) == 0

    def candidates(self, request: AxisRequest, most: int) -> list[Config]:
        return [*(ToyConfig(1), ToyConfig(2))[:most]]

    def describe(self, config: Config) -> str:
        assert isinstance(config, ToyConfig)
        return f"threads: {config.threads}"

    def to_fields(self, config: Config) -> dict[str, Any]:
        assert isinstance(config, ToyConfig)
        return asdict(config)

    def from_fields(self, fields: Mapping[str, Any], length: int) -> ToyConfig:
        if set(fields) != {"threads"} or fields["threads"] not in (1, 2):
            raise ValueError("no kernel has such values")
        return ToyConfig(fields["threads"])


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Toy]:
    """The family, for the length of a test, in which `auto` takes no picture in one dispatch, which has no family."""
    monkeypatch.setattr(pictures, "pays", lambda request: False)
    family = Toy()
    registry._REGISTRY[family.name] = family
    yield family
    if "toy" in registry.algorithm_names():
        del registry._REGISTRY["toy"]


def is_fast(spec: PassSpec) -> bool:
    return spec.shader == "fft/cooley_tukey.comp" and spec.threads == 2


def families_of(plan: glfft.Plan) -> set[str]:
    return {spec.choice.family for spec in specs_of(plan) if spec.choice is not None}


def tuned(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, algorithm: str = "auto") -> TuningReport:
    """What tuning finds where the family's second kernel is the fastest of all."""
    favour_passes(monkeypatch, is_fast)
    with glfft.Plan(ctx, (16, 8), algorithm=algorithm) as plan:
        return plan.tune(quick=True)


def test_it_is_tuned_explained_and_taken_by_auto(
    ctx: moderngl.Context, toy: Toy, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    favour_passes(monkeypatch, is_fast)
    with glfft.Plan(ctx, (16, 8)) as plan:
        assert "toy" not in families_of(plan)
        report = plan.tune(quick=True)
        assert families_of(plan) == {"toy"}
        assert all(map(is_fast, specs_of(plan)))
        assert_transforms(plan)
        told = plan.explain()
    assert told.count("tuned on this device: 4 us a pass of 128 points of rg32f") == 4
    assert "fft/cooley_tukey.comp" in told
    assert {(each.after.family, each.after.config) for each in report.passes} == {("toy", ToyConfig(2))}
    assert [each.discarded for each in report.passes] == [0, 0]
    assert "toy: threads: 2" in report.to_text()
    with glfft.Plan(ctx, (16, 8)) as another:
        assert families_of(another) == {"toy"}


def test_it_is_kept_for_the_next_process(
    ctx: moderngl.Context, toy: Toy, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    report = tuned(ctx, monkeypatch)
    written = [each for each in json.loads(file.read_text())["entries"] if each["family"] == "toy"]
    assert [each["config"] for each in written] == [{"threads": 2}] * 2
    assert {each.entry for each in report.passes} <= set(read(file.read_text()).entries)
    next_process(monkeypatch)
    with glfft.Plan(ctx, (16, 8)) as plan:
        assert families_of(plan) == {"toy"}
        assert all(map(is_fast, specs_of(plan)))


def test_it_is_searched_alone_where_it_is_asked_for(
    ctx: moderngl.Context, toy: Toy, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    with glfft.Plan(ctx, (16, 8), algorithm="toy") as plan:
        assert {spec.threads for spec in specs_of(plan)} == {1}
        assert_transforms(plan)
    report = tuned(ctx, monkeypatch, "toy")
    assert {(each.before.config, each.after.config) for each in report.passes} == {(ToyConfig(1), ToyConfig(2))}
    assert {entry.family for entry in store.entries()} == {"toy"}


def test_auto_takes_the_faster_of_two_families(ctx: moderngl.Context, toy: Toy, file: Path) -> None:
    with glfft.Plan(ctx, (1, 8)) as plan:
        (request,) = plan._tunable()
        (spec, *_) = specs_of(plan)
    assert spec.choice is not None
    other = Entry.of(request, spec.choice.family, spec.choice.config, 5.0)
    for microseconds, family in ((6.0, other.family), (4.0, "toy")):
        store.remember([other, Entry.of(request, "toy", ToyConfig(2), microseconds)])
        with glfft.Plan(ctx, (1, 8)) as plan:
            assert families_of(plan) == {family}


def test_a_time_of_an_earlier_day_does_not_outdo_what_was_found_faster_since(
    ctx: moderngl.Context, toy: Toy, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    with glfft.Plan(ctx, (1, 8)) as plan:
        (request,) = plan._tunable()
    store.remember([Entry.of(request, "toy", ToyConfig(1), 1.0)])
    favour_passes(monkeypatch, lambda spec: spec.radices == (4, 2))
    with glfft.Plan(ctx, (1, 8)) as plan:
        assert families_of(plan) == {"toy"}
        plan.tune(quick=True)
        assert {spec.radices for spec in specs_of(plan)} == {(4, 2)}


def test_its_wisdom_outlasts_a_glfft_without_it(
    ctx: moderngl.Context, toy: Toy, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    report = tuned(ctx, monkeypatch)
    del registry._REGISTRY["toy"]
    next_process(monkeypatch)
    assert "toy" in next(iter(read(file.read_text()).left_out))
    with glfft.Plan(ctx, (16, 8)) as plan:
        assert "toy" not in families_of(plan)
        favour_passes(monkeypatch, lambda spec: spec.radices == (4, 2))
        plan.tune(quick=True)
    registry._REGISTRY[toy.name] = toy
    next_process(monkeypatch)
    assert {each.entry for each in report.passes} <= set(store.entries())


def test_it_is_tuned_while_a_program_runs(
    ctx: moderngl.Context, toy: Toy, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    favour_passes(monkeypatch, is_fast)
    with glfft.Plan(ctx, (1, 8)) as plan, plan.background_tuner(quick=True) as tuner:
        until(lambda: tuner.step(budget_ms=5.0))
        assert [each.after.family for each in tuner.report.passes] == ["toy"]
        assert families_of(plan) == {"toy"}
        assert_transforms(plan)


def test_plans_of_every_kind_may_have_it(ctx: moderngl.Context, toy: Toy) -> None:
    product = "value product(ivec3 at, value spectrum) { return 2.0 * spectrum; }"
    with glfft.Plan(ctx, (8, 16), algorithm="toy", real=True, multiply=product) as plan:
        values = random_values(plan.request.storage.of_reals, plan.shape, None)
        wide = values.astype(np.float64)
        assert_close(run(plan, values), np.fft.rfft2(wide))
        assert_close(run(plan, values, "convolve"), 2.0 * wide, COMPOSED_DB)


def test_it_is_listed(toy: Toy, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert glfft.algorithm_names()["toy"] == "for a test"
    measured: list[list[str]] = []
    benchmark = bench.benchmark

    def of_toy_alone(ctx: moderngl.Context, cases: Any, algorithms: list[str], *others: Any, **options: Any) -> Any:
        measured.append(algorithms)
        return benchmark(ctx, cases, ["toy"], *others, **options)

    check = system_report.self_check
    # All the other algorithms would be compiled too.
    monkeypatch.setattr(bench, "benchmark", of_toy_alone)
    monkeypatch.setattr(
        system_report,
        "self_check",
        lambda ctx, algorithm: check(ctx, algorithm) if algorithm == "toy" else 300.0,
    )
    assert cli.main(["bench", "--sizes", "4", "--samples", "5", "--check"]) == 0
    assert re.search(r"^4x4 +toy ", capsys.readouterr().out, re.MULTILINE)
    assert "toy" in measured[0]
    assert cli.main(["info"]) == 0
    assert re.search(r"\btoy\b", capsys.readouterr().out)
