"""Owners of GPU objects: released once at the end of a block, whatever happens in it."""

from __future__ import annotations

import pytest

from glfft.gl.releasable import Releasable, release_all


class Owner(Releasable):
    def __init__(self) -> None:
        self.released = 0

    def release(self) -> None:
        self.released += 1


def test_a_block_releases_at_its_end_and_hides_no_error() -> None:
    with Owner() as owner:
        assert owner.released == 0
    assert owner.released == 1
    with pytest.raises(ZeroDivisionError), owner:
        raise ZeroDivisionError
    assert owner.released == 2


def test_all_are_released() -> None:
    owners = [Owner(), Owner()]
    release_all(owners)
    assert [each.released for each in owners] == [1, 1]
