"""The kernels that tuning may pick: all fit and all are right."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace

import moderngl
import numpy as np
import pytest
from support import images
from support.images import random_values
from support.tolerances import assert_close, floor_of
from support.tuning import DEVICES, config_of, lines_of

from glfft.algorithms import registry
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.kinds import KINDS
from glfft.algorithms.stockham import choose
from glfft.algorithms.stockham.candidates import candidates, in_pairs, neighbours
from glfft.algorithms.stockham.config import SWAPPED, KernelConfig
from glfft.algorithms.stockham.kernel import kernel_pass
from glfft.algorithms.storage import STORAGES
from glfft.engine.compiled_pass import CompiledPass
from glfft.gl.context import state_of
from glfft.tuning import search

LENGTHS = [2**exponent for exponent in range(1, 14)]
STOCKHAM = registry.family_of(choose.FAMILY)
# As many as a search asks for.
MOST = 24


def all_requests() -> Iterator[AxisRequest]:
    for renderer, length, storage, axis, lines in itertools.product(DEVICES, LENGTHS, STORAGES, (0, 1), (1, 4096)):
        wanted = lines_of(length, storage, renderer, axis, lines)
        if length <= choose.longest_at_once(wanted):
            yield wanted


def reachable(wanted: AxisRequest) -> list[KernelConfig]:
    """What a search may measure and so pick: the candidates, and what is one change from them."""
    found = [config_of(choice) for choice in search.candidates(wanted)]
    near = (each for kernel in found for each in (*neighbours(kernel, wanted), *in_pairs(kernel, wanted)))
    return list(dict.fromkeys([*found, *near]))


def test_every_candidate_fits_its_device_and_its_line() -> None:
    for wanted in all_requests():
        # Any two of length, storage, axis and number of lines meet.
        turn = wanted.length.bit_length() + list(STORAGES).index(wanted.storage.name) + wanted.axis
        if turn % 2 == (wanted.lines > 1):
            continue
        found = candidates(wanted, MOST)
        assert found[0] == choose.default(wanted)
        assert len(set(found)) == len(found) <= MOST
        assert found[:8] == candidates(wanted, 8)
        for kernel in [*found, *neighbours(found[0], wanted)]:
            assert kernel.length == wanted.length
            assert kernel.fits(wanted.device.limits, wanted.storage)


def test_there_is_a_choice_where_there_can_be_one() -> None:
    for renderer in DEVICES:
        for length in (64, 256, 1024):
            found = candidates(lines_of(length, renderer=renderer), MOST)
            assert len(found) >= 16
            assert len({kernel.radices for kernel in found}) >= 4
            assert len({kernel.lines for kernel in found}) >= 3
            assert neighbours(found[0], lines_of(length, renderer=renderer))


def test_neighbours_differ_in_one_option() -> None:
    wanted = lines_of(256, renderer="A device of 2030")
    kernel = KernelConfig((8, 8, 4), 32, 4, side_by_side=True, padding=16)
    found = neighbours(kernel, wanted)
    assert len(set(found)) == len(found)
    changed = [
        {name for name in vars(kernel) if getattr(kernel, name) != getattr(each, name)} - {"side_by_side"} or {"side"}
        for each in found
    ]
    assert all(len(names) == 1 for names in changed)
    every = {"radices", "threads", "lines", "side", "exchange", "padding"}
    every |= {"sampled_twiddles", "twiddle_products", "prefetch_twiddles"}
    assert set().union(*changed) == every


def test_searches_on_gpus_try_lines_in_pairs() -> None:
    kernel = KernelConfig((16, 16, 16), 256, 2, True, "in turn")
    wanted = lines_of(4096, renderer="A device of 2030", lines=4096)
    pairs = in_pairs(kernel, wanted)
    assert [(each.line_pairs, each.lines, each.invocations) for each in pairs] == [(True, 2, 256), (True, 4, 512)]
    assert set(pairs) <= set(STOCKHAM.neighbours(kernel, wanted))
    for other in (replace(kernel, exchange="at once"), pairs[0], replace(kernel, pieces=2)):
        assert not in_pairs(other, wanted)
    for request in (replace(wanted, storage=STORAGES["rgba32f"]), replace(wanted, real=True, real_pairs=True)):
        assert not in_pairs(kernel, request)
    assert kernel in neighbours(pairs[0], wanted)


@pytest.mark.parametrize(("length", "tried"), [(1792, False), (2048, False), (2304, True), (4096, True)])
def test_searches_on_gpus_try_two_long_lines_in_pieces(length: int, tried: bool) -> None:
    """Where both take over a third of the shared memory that a group may have: a unit may hold no three such groups."""
    kernel = KernelConfig((length // 256, 16, 16), length // 16, 2, True, "in turn")
    wanted = lines_of(length, renderer="A device of 2030", lines=4096)
    in_pieces = replace(kernel, pieces=2)
    assert (in_pieces in STOCKHAM.neighbours(kernel, wanted)) == tried
    others = ({"real": True, "real_pairs": True}, {"inverse_scale": 1.0}, {"storage": STORAGES["buffer"]})
    for changes in (*others, {"storage": STORAGES["rgba32f"]}):
        assert in_pieces not in STOCKHAM.neighbours(kernel, replace(wanted, **changes))


def test_searches_let_points_of_powers_of_two_change_places() -> None:
    wanted = lines_of(256, renderer="A device of 2030", lines=4096)
    assert SWAPPED in {each.padding for each in neighbours(KernelConfig((16, 16), 16, 4, True), wanted)}
    others = lines_of(144, renderer="A device of 2030", lines=4096)
    assert SWAPPED not in {each.padding for each in neighbours(KernelConfig((9, 16), 9, 4, True), others)}


def test_an_even_first_radix_can_be_the_padding() -> None:
    wanted = lines_of(100, renderer="A device of 2030")
    paddings = {each.padding for each in neighbours(KernelConfig((10, 10), 10), wanted)}
    assert 10 in paddings
    assert 9 not in {
        each.padding for each in neighbours(KernelConfig((9, 9), 9), lines_of(81, renderer=wanted.device.renderer))
    }


def test_gpus_take_no_kernel_of_many_points_for_cosines() -> None:
    plain, kept = lines_of(960, renderer="A device of 2030"), KernelConfig((8, 15, 8), 64, 2, True, "in turn")
    many, enough = KernelConfig((32, 30), 32, 2, True, "in turn"), KernelConfig((8, 24, 5), 64, 2, True, "in turn")
    cosine = replace(plain, kind=KINDS["dct2"])
    assert all(STOCKHAM.fits(kernel, plain) for kernel in (many, enough, kept))
    assert [STOCKHAM.fits(kernel, cosine) for kernel in (many, enough, kept)] == [False, True, True]
    assert STOCKHAM.fits(many, replace(cosine, device=replace(cosine.device, renderer="llvmpipe")))
    # Of a larger prime there is no kernel of fewer points.
    of_prime = replace(cosine.of_length(155), kind=KINDS["dct2"])
    assert STOCKHAM.fits(KernelConfig((31, 5), 6, 2, True), of_prime)
    assert not STOCKHAM.fits(KernelConfig((31, 5), 5, 2, True), of_prime)


def sample_of_candidates() -> list[tuple[KernelConfig, AxisRequest]]:
    """Some of what tuning may pick, over lengths, storages, axes, layers and directions."""
    generator = random.Random(11)
    sample = []
    for index, length in enumerate([2, 8, 16, 64, 128, 256, 512, 1024, 16, 64, 256, 512, 4, 32, 2048, 4096, 128, 1024]):
        storage = list(STORAGES)[index % len(STORAGES)]
        # Long lines are fewer: an interpreter takes a while for each.
        wanted = lines_of(length, storage, axis=index % 2, lines=(5, 3, 11)[index % 3] if length < 1024 else 2)
        quick = [kernel for kernel in reachable(wanted) if kernel.points * len(kernel.radices) <= 48]
        kernel = generator.choice(quick)
        sample.append((kernel, replace(wanted, layers=(None, 2)[index // 2 % 2], direction=(-1, 1)[index // 3 % 2])))
    return sample


def more_candidates(count: int) -> Iterator[tuple[KernelConfig, AxisRequest]]:
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
    ctx: moderngl.Context, candidate: tuple[KernelConfig, AxisRequest]
) -> None:
    kernel, wanted = candidate
    wanted = replace(wanted, device=state_of(ctx).device)
    if not kernel.fits(wanted.device.limits, wanted.storage):
        pytest.skip("it is for devices of more shared memory")
    storage = wanted.storage
    values = random_values(storage, wanted.shape, wanted.layers, seed=wanted.length)
    each = CompiledPass(ctx, kernel_pass(wanted, kernel))
    spoilt = values.copy()
    np.moveaxis(spoilt, wanted.axis - 2, -1)[-1, -1, 0, -1] = complex(np.nan, np.nan)
    results = []
    for given in (values, values, spoilt):
        source = images.upload(ctx, given, storage, wanted.layers)
        target = images.blank(ctx, wanted.shape, storage, wanted.layers)
        each.run(source, target)
        ctx.memory_barrier()
        results.append(images.download(target, storage, wanted.shape, wanted.layers))
        assert images.download(source, storage, wanted.shape, wanted.layers).tobytes() == given.tobytes()
        images.release(source, target)
    transform = np.fft.fft if wanted.direction < 0 else np.fft.ifft
    norm = "backward" if wanted.direction < 0 else "forward"
    exact = transform(values.astype(np.complex128), axis=wanted.axis - 2, norm=norm)
    assert_close(results[0], exact, floor_of(storage, 1))
    assert results[0].tobytes() == results[1].tobytes()
    # One number that is none spoils its line and nothing else.
    clean, spoilt = (np.moveaxis(result, wanted.axis - 2, -1) for result in (results[0], results[2]))
    of_spoilt_line = np.isnan(spoilt)
    assert of_spoilt_line[-1, -1, 0].all()
    assert of_spoilt_line.sum() == wanted.length
    assert np.array_equal(spoilt[~of_spoilt_line], clean[~of_spoilt_line])
