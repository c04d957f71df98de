"""The data of a case: how it is packed, and how a result is compared with float64."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest

from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.suite import Case
from glfft.apps.bench.workload import Workload, cosine_transform


@pytest.mark.parametrize("storage", STORAGES.values(), ids=STORAGES)
def test_pictures_pack_into_every_storage_and_back(ctx: moderngl.Context, storage: Any) -> None:
    workload = Workload(Case((4, 8), batch=6, storage=storage))
    packed = workload.packed(storage)
    assert packed.shape == (6 // (storage.components // 2), 4, 8, storage.components)
    assert np.array_equal(workload.unpacked(packed.tobytes(), storage), workload.pictures)
    if storage.paired:
        assert np.array_equal(packed[1, ..., 2:].astype(np.float32).view(np.complex64)[..., 0], workload.pictures[3])


def test_volumes_pack_two_a_texel_and_back() -> None:
    case = Case((3, 4, 5), batch=2, storage=STORAGES["buffer_pairs"])
    workload = Workload(case)
    packed = workload.packed(case.storage)
    assert packed.shape == (1, 3, 4, 5, 4)
    assert np.array_equal(workload.unpacked(packed.tobytes(), case.storage), workload.pictures)
    assert workload.snr_db(np.fft.fftn(workload.pictures, axes=(1, 2, 3))) > 130


def test_real_pictures_and_their_halves_of_spectra() -> None:
    case = Case((4, 9), batch=4, storage=STORAGES["rgba32f"], real=True)
    workload = Workload(case)
    assert workload.packed(case.storage).shape == (2, 4, 9, 2)
    spectra = np.fft.rfft2(workload.pictures).astype(np.complex64)
    texels = np.stack((spectra[0::2], spectra[1::2]), axis=-1)
    assert np.array_equal(workload.unpacked(texels.tobytes(), case.storage), spectra)
    assert workload.snr_db(spectra) > 130
    assert workload.snr_db(spectra.conj()) < 10


def test_cosine_transforms_are_compared_with_real_numbers() -> None:
    case = Case((4, 9), batch=4, storage=STORAGES["rgba32f"], cosine=True)
    workload = Workload(case)
    packed = workload.packed(case.storage)
    assert packed.shape == (2, 4, 9, 2)
    assert np.array_equal(workload.unpacked(packed.tobytes(), case.storage), workload.pictures)
    assert workload.snr_db(cosine_transform(workload.pictures, (1, 2)).astype(np.float32), "ortho") > 130
    assert workload.snr_db(workload.pictures, "ortho") < 10


def test_of_a_large_batch_a_few_pictures_are_compared_and_a_wrong_one_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glfft.apps.bench.workload._COMPARED_POINTS", 100)
    workload = Workload(Case((8, 8), batch=9))
    right = np.fft.fft2(workload.pictures.astype(np.complex128))
    assert workload.snr_db(right) > 250
    for index in (0, 4, 8):
        wrong = right.copy()
        wrong[index] = workload.pictures[index]
        assert workload.snr_db(wrong) < 10
