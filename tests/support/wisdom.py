"""Measured kernels of a made-up device, for tests of wisdom."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from glfft.algorithms.passes import AxisRequest
from glfft.algorithms.stockham import choose
from glfft.algorithms.stockham.kernel import KernelConfig
from glfft.algorithms.storage import STORAGES
from glfft.gl.device import Limits
from glfft.wisdom import store
from glfft.wisdom.entries import Entry

DEVICE = Limits(16384, 32768, 1024, (1024, 1024, 64), (65535, 65535, 65535), 8, 16)
RENDERER, DRIVER = "Some Device 7", "Some Driver 1.2"
KERNEL = KernelConfig((4, 4, 4), 4, lines=2)
OTHER = KernelConfig((8, 8), 8, lines=1)


def request(storage: str = "rg32f", rows: int = 64, renderer: str = RENDERER, driver: str = DRIVER) -> AxisRequest:
    return AxisRequest((rows, 64), 1, -1, 1.0, False, None, STORAGES[storage], DEVICE, renderer, driver)


def entry(kernel: KernelConfig = KERNEL, microseconds: float = 5.0, **asked: Any) -> Entry:
    return Entry.of(request(**asked), kernel, microseconds)


def next_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what only this process knows."""
    monkeypatch.setattr(store, "_known", {})


def chosen(wanted: AxisRequest | None = None) -> KernelConfig:
    return choose.choose(wanted or request())[0]


def valid(**changes: object) -> str:
    """A file of one entry that applies, but for what is changed in it or its kernel."""
    content = asdict(entry())
    for name, value in changes.items():
        (content if name in content else content["kernel"])[name] = value
    return json.dumps({"version": 1, "entries": [content]})
