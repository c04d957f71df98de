"""Owners of GPU objects: released once at the end of a block, whatever happens in it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import moderngl
import pytest
from support.sentences import refused

from glfft import Plan, Profiler
from glfft.errors import ContextError, ReleasedError
from glfft.gl import releasable
from glfft.gl.releasable import Keeper, Releasable, release_all, released_on_error


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


def test_what_a_failed_block_had_made_is_released() -> None:
    made: list[Owner] = []
    with released_on_error(made):
        made.append(Owner())
    assert made[0].released == 0

    def fail() -> None:
        made.append(Owner())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), released_on_error(made):
        fail()
    assert [each.released for each in made] == [1, 1]


def test_a_keeper_releases_once_what_it_was_given_the_last_first() -> None:
    order: list[str] = []

    class Named(Releasable):
        def __init__(self, name: str) -> None:
            self.name = name

        def release(self) -> None:
            order.append(self.name)

    class Two(Keeper):
        def __init__(self) -> None:
            self.first, self.second = self._own(Named("first")), self._own(Named("second"))

    with Two() as two:
        assert (two.first.name, two.second.name, order) == ("first", "second", [])
    two.release()
    assert order == ["second", "first"]
    Keeper().release()


def test_one_that_is_used_after_its_release_is_named_in_words(ctx: moderngl.Context) -> None:
    class ThingWithBuffers(releasable.Owner):
        pass

    thing = ThingWithBuffers(ctx)
    thing._check_alive()
    thing.release()
    with pytest.raises(ReleasedError, match="This thing with buffers has been released"):
        thing._check_alive()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_no_second_owner_of_the_same_objects_is_made(ctx: moderngl.Context, copied: Callable[[object], object]) -> None:
    with Plan(ctx, (4, 8)) as plan, Profiler(ctx) as profiler:
        for owner in (plan, profiler):
            with refused(ContextError, type(owner).__name__, "copied"):
                copied(owner)
