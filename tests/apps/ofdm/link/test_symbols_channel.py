"""Echoes and noise as they are said to be, and the theory of 16-QAM beside a simulation of its points."""

from __future__ import annotations

import numpy as np
import pytest
from support.tolerances import assert_close, error_rate_margin

from glfft.apps.ofdm.link.symbols import (
    BITS,
    SUBCARRIERS,
    USED,
    Channel,
    bit_error_rate,
    expected_error_rate,
    points_of,
    random_words,
)
from glfft.errors import OptionError


def test_what_arrives_is_the_convolution_with_the_echoes() -> None:
    channel = Channel("multipath", 60.0)
    random = np.random.default_rng(1)
    sent = random.standard_normal((2000, 2)).astype(np.float32).view(np.complex64)[:, 0]
    exact = np.convolve(sent, channel.taps)[: len(sent)]
    assert_close(channel.send(sent, random), exact, 50.0)  # of the noise
    assert_close(
        np.abs(channel.response).mean(keepdims=True), np.abs(np.fft.fft(channel.taps, 512)).mean(keepdims=True), 20.0
    )
    assert np.linalg.norm(channel.taps) == pytest.approx(1)


def test_the_noise_has_its_power() -> None:
    channel = Channel("flat", 5.0)
    received = channel.send(np.zeros(100_000, np.complex64), np.random.default_rng(2))
    assert (np.abs(received) ** 2).mean() == pytest.approx(channel.noise, rel=0.02)
    assert channel.noise == pytest.approx(SUBCARRIERS / USED / 4 / 10**0.5)


@pytest.mark.parametrize("db", [4.0, 12.0, 16.0])
def test_the_theory_agrees_with_points_in_noise(db: float) -> None:
    random = np.random.default_rng(3)
    words = random_words(random, 400)
    sent = points_of(words)
    ratio = 10 ** (db / 10)
    noise = random.standard_normal((*sent.shape, 2)).view(np.complex128)[..., 0] / np.sqrt(2 * ratio)
    received = sent + noise
    wrong = 0
    for before, after in ((sent.real, received.real), (sent.imag, received.imag)):
        between = 2 / np.sqrt(10)
        wrong += ((before > 0) != (after > 0)).sum() + ((abs(before) < between) != (abs(after) < between)).sum()
    bits = len(words) * BITS
    expected = float(bit_error_rate(ratio))
    assert abs(wrong / bits - expected) < error_rate_margin(expected, bits)


def test_more_noise_of_any_kind_is_expected_to_cause_more_errors() -> None:
    channel = Channel("flat", 10.0)
    plain = expected_error_rate(channel)
    assert plain == pytest.approx(float(bit_error_rate(4 * 10)), rel=1e-6)
    assert expected_error_rate(Channel("flat", 9.0)) > plain
    assert expected_error_rate(Channel("multipath", 10.0)) > plain
    assert expected_error_rate(channel, further_noise=0.01) > plain
    assert expected_error_rate(channel, estimate_gain=0.1) > plain


def test_channels_that_do_not_exist_are_refused() -> None:
    with pytest.raises(OptionError, match="flat, multipath"):
        Channel("steep")
    for db in (float("nan"), 61.0, -11.0):
        with pytest.raises(OptionError, match=r"from -10 to 60 dB"):
            Channel("flat", db)
