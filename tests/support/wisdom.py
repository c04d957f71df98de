"""Measured kernels of a made-up device, for tests of wisdom."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.storage import STORAGES
from glfft.gl.device import Device, Limits
from glfft.wisdom import lookup, store
from glfft.wisdom.entries import Entry

LIMITS = Limits(16384, 32768, 1024, (1024, 1024, 64), (65535, 65535, 65535), 8, 16)
RENDERER, DRIVER = "Some Device 7", "Some Driver 1.2"
FAMILY = "stockham"
KERNEL = KernelConfig((4, 4, 4), 16, lines=2)
OTHER = KernelConfig((8, 8), 8, lines=1)


def request(storage: str = "rg32f", rows: int = 64, renderer: str = RENDERER, driver: str = DRIVER) -> AxisRequest:
    device = Device(LIMITS, renderer, driver)
    return AxisRequest((rows, 64), 1, -1, 1.0, False, None, STORAGES[storage], device)


def entry(kernel: KernelConfig = KERNEL, microseconds: float = 5.0, **asked: Any) -> Entry:
    return Entry.of(request(**asked), FAMILY, kernel, microseconds)


def next_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what only this process knows."""
    monkeypatch.setattr(store, "_known", {})


def chosen(wanted: AxisRequest | None = None) -> Any:
    """The kernel that a request takes."""
    return lookup.choose(wanted or request())[0][1].config


def why(wanted: AxisRequest | None = None) -> str:
    """Why it takes that."""
    return lookup.choose(wanted or request())[0][1].why


def valid(**changes: object) -> str:
    """A file of one entry that applies, but for what is changed in it or its kernel."""
    content = asdict(entry())
    for name, value in changes.items():
        (content if name in content else content["config"])[name] = value
    return json.dumps({"version": 2, "entries": [content]})
