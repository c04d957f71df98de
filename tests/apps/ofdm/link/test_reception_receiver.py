"""The receiver: bits come back, as many of them wrong as theory says; and its parts against numpy."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
from support.tolerances import assert_close, error_rate_margin

from glfft.apps.ofdm.link.reception import SHOWN, Receiver, estimate_gain, smoothing_matrix
from glfft.apps.ofdm.link.symbols import (
    SUBCARRIERS,
    SYMBOL,
    USED,
    Channel,
    Width,
    bit_errors,
    expected_error_rate,
    points_of,
    random_words,
    samples_of,
    used_subcarriers,
)
from glfft.errors import LimitError, OptionError

SYMBOLS = 66


def transmission(
    channel: Channel, width: Width, blocks: int, seed: int = 1
) -> tuple[list[npt.NDArray[np.uint32]], list[npt.NDArray[Any]]]:
    """What is sent and what is received, block by block."""
    random = np.random.default_rng(seed)
    words = [random_words(random, SYMBOLS) for _ in range(blocks)]
    arrived = channel.send(np.concatenate([samples_of(each) for each in words]), random)
    return words, [width.encode(each, 1 + channel.noise) for each in np.split(arrived, blocks)]


def receive(
    ctx: moderngl.Context, channel: Channel, width: Width, blocks: int, **options: Any
) -> tuple[float, int, Any]:
    """The share of wrong bits, of how many, and the last block's result."""
    words, received = transmission(channel, width, blocks)
    wrong = bits = 0
    result = None
    # The algorithm that compiles fastest.
    with (
        Receiver(ctx, SYMBOLS, width, algorithm="radix-8") as receiver,
        receiver.stream() as stream,
    ):
        receiver.set_power(1 + channel.noise)
        for sent, (result,) in zip(words, stream.run(received), strict=True):
            wrong += bit_errors(sent, result["words"])
            bits += 32 * sent.size
    return wrong / bits, bits, result


@pytest.mark.parametrize("width", ["float32", "float16", "fixed8"])
@pytest.mark.parametrize("name", ["flat", "multipath"])
def test_without_much_noise_every_bit_comes_back(ctx: moderngl.Context, name: str, width: str) -> None:
    rate, _, _ = receive(ctx, Channel(name, 45.0), Width(width), 2)
    assert rate == 0


@pytest.mark.parametrize(
    ("name", "db", "width"),
    [
        ("flat", 6.0, "float32"),
        ("flat", 9.0, "fixed8"),
        ("multipath", 8.0, "float16"),
        ("multipath", 12.0, "fixed8"),
        ("flat", 9.0, "fixed4"),
    ],
)
def test_as_many_bits_are_wrong_as_theory_says(ctx: moderngl.Context, name: str, db: float, width: str) -> None:
    channel, kept = Channel(name, db), Width(width)
    rate, bits, _ = receive(ctx, channel, kept, 3)
    expected = expected_error_rate(channel, kept.noise(1 + channel.noise), estimate_gain(SYMBOLS))
    assert abs(rate - expected) < error_rate_margin(expected, bits)


def test_fewer_bits_a_sample_cost_more_errors_and_eight_cost_none(ctx: moderngl.Context) -> None:
    channel = Channel("flat", 9.0)
    rates = {width: receive(ctx, channel, Width(width), 2)[0] for width in ("float32", "fixed8", "fixed4", "fixed2")}
    bits = 2 * SYMBOLS * 1344
    assert abs(rates["fixed8"] - rates["float32"]) < error_rate_margin(rates["float32"], bits)
    assert rates["fixed4"] > rates["float32"] + error_rate_margin(rates["float32"], bits)
    assert rates["fixed2"] > 2 * rates["fixed4"]


def test_response_points_and_power_are_what_numpy_makes_of_the_samples(ctx: moderngl.Context) -> None:
    channel, width = Channel("multipath", 20.0), Width("float32")
    words, received = transmission(channel, width, 1)
    with Receiver(ctx, SYMBOLS, width, algorithm="radix-8") as receiver, receiver.stream(direct=True) as stream:
        ((result,),) = stream.run(received)
    lines = received[0].view(np.complex64).reshape(SYMBOLS, SYMBOL)[:, -SUBCARRIERS:]
    spectra = np.fft.fft(lines.astype(np.complex128)) * np.sqrt(USED) / SUBCARRIERS
    assert_close(result["power"], (np.abs(spectra[:SHOWN]) ** 2).mean(axis=0))
    # The estimate is the channel's but for its noise, a few hundredths.
    assert_close(result["response"], channel.response, 25.0)
    sent = points_of(words[0])[:SHOWN]
    noise = channel.noise * USED / SUBCARRIERS
    error = np.abs(result["points"] - sent) ** 2
    assert (error.mean()) == pytest.approx(noise * (np.abs(channel.response) ** -2.0).mean(), rel=0.1)


def test_each_point_becomes_the_bits_of_the_nearest(ctx: moderngl.Context) -> None:
    _, _, result = receive(ctx, Channel("multipath", 8.0), Width("float32"), 1)
    decided = points_of(result["words"])[:SHOWN]
    levels = np.array([-3, -1, 1, 3]) / np.sqrt(10)
    for part, of in ((np.real, "real"), (np.imag, "imaginary")):
        given = part(result["points"])
        nearest = levels[np.abs(given[..., None] - levels).argmin(axis=-1)]
        # But for points on a boundary to the last bit.
        clear = np.abs(np.abs(given) - 2 / np.sqrt(10)) > 1e-5
        assert np.allclose(part(decided)[clear], nearest[clear]), of


def test_the_smoothing_keeps_channels_and_takes_noise_away() -> None:
    matrix = smoothing_matrix(SYMBOLS)
    for name in ("flat", "multipath"):
        response = Channel(name).response
        assert_close(matrix @ response, response, 30.0)
    # A channel of 64 delays has about 44 of 352 directions within the band that is used.
    assert (np.abs(matrix) ** 2).sum() == pytest.approx(44, rel=0.25)
    assert estimate_gain(2 * SYMBOLS) < estimate_gain(SYMBOLS) < 0.06


def test_what_a_receiver_cannot_do_is_refused(ctx: moderngl.Context) -> None:
    for symbols, wanted in ((23, "a multiple of 22"), (430, "a multiple of 22"), (0, "above 0"), (-22, "above 0")):
        with pytest.raises(OptionError, match=f"symbols is {symbols} and must be .*{wanted}"):
            Receiver(ctx, symbols, Width("fixed8"))
    with pytest.raises(LimitError):
        Receiver(ctx, 22 << 20, Width("fixed8"))


def test_all_used_subcarriers_have_the_same_power_in_a_flat_channel(ctx: moderngl.Context) -> None:
    _, _, result = receive(ctx, Channel("flat", 40.0), Width("fixed8"), 1)
    power = result["power"]
    empty = np.setdiff1d(np.arange(SUBCARRIERS), used_subcarriers())
    assert power[used_subcarriers()].mean() == pytest.approx(1, rel=0.02)
    assert power[empty].max() < 1e-3
