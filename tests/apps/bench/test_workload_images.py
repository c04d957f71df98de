"""Source and target images of every storage, and the shaders that copy them."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest

from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.suite import Case
from glfft.apps.bench.workload import ImagePair, Workload, copies
from glfft.profiling.timing import ContextTimer


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
            assert np.array_equal(workload.unpacked(images.target.read(), storage), workload.pictures)
    images.release()
