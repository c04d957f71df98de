"""Fingerprints of float64: compiled, as softpipe (Mesa 22.3.6) rounds some of it to float32."""

from __future__ import annotations

import moderngl
import pytest
from support.tuning import assert_fingerprints_tell

from glfft.algorithms.storage import STORAGES, Storage


@pytest.mark.parametrize("storage", [each for each in STORAGES.values() if each.double], ids=lambda each: each.name)
def test_fingerprints_tell_right_from_wrong(ctx: moderngl.Context, storage: Storage) -> None:
    assert_fingerprints_tell(ctx, storage)
