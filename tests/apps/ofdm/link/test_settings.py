"""The link's settings: their defaults make sense."""

from __future__ import annotations

from glfft.apps.ofdm.link.settings import CHANNELS, WIDTHS, LinkSettings
from glfft.apps.ofdm.link.symbols import Channel, Width


def test_the_defaults_and_all_choices_are_accepted() -> None:
    settings = LinkSettings()
    assert settings.samples in WIDTHS
    assert settings.channel in CHANNELS
    for channel in CHANNELS:
        assert Channel(channel, settings.bit_energy_db).name == channel
    assert [Width(name).name for name in WIDTHS] == list(WIDTHS)
