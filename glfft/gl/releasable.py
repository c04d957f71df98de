"""Owners of GPU objects, which `release` or the end of a `with` block frees."""

import re
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, Self, TypeVar

import moderngl

from glfft.errors import ContextError, ReleasedError
from glfft.gl.context import state_of

_Made = TypeVar("_Made")


class Releasable:
    """A context manager whose end calls `release`."""

    _released = False
    _called = ""  # in messages; else the words of the class

    def _check_alive(self) -> None:
        if self._released:
            name = self._called or re.sub(r"\B[A-Z]", r" \g<0>", type(self).__name__).lower()  # PeakFinder: peak finder
            raise ReleasedError(f"This {name} has been released; make a new one.")

    def release(self) -> None:
        raise NotImplementedError

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Refuse copy and pickle, as two would free the same objects. Raises ContextError."""
        raise ContextError(f"This {type(self).__name__} cannot be copied or pickled; make another one.")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


class Keeper(Releasable):
    """Keeps what `_own` is given, and frees it, the last first, as `release_all`. Releasing twice is harmless."""

    _kept: list[Any]

    def _own(self, made: _Made) -> _Made:
        self.__dict__.setdefault("_kept", []).append(made)
        return made

    def release(self) -> None:
        self._released = True
        kept = self.__dict__.get("_kept", [])
        while kept:
            release_all([kept.pop()])


class Owner(Releasable):
    """Owns GPU objects of the current context: those in `_owned`, also if making the rest fails. `release` frees them
    or, if nobody calls it or the context is not current then, the next owner made there: never the garbage collector,
    on whichever thread. Raises NotCurrentError, ReleasedError.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._state = state_of(ctx)
        self._require_current = self._state.check.require
        self._require_current()
        self._state.release_dropped()
        self.ctx = ctx
        self._owned: list[Any] = []
        self._finalizer = weakref.finalize(self, self._state.dropped.extend, self._owned)

    def release(self) -> None:
        """Free what it owns. Releasing twice is harmless."""
        if not self._released:
            self._released = True
            self._finalizer.detach()
            self._state.release_soon(self._owned)

    def _own(self, made: _Made) -> _Made:
        self._owned.append(made)
        return made

    def _check_alive(self) -> None:
        super()._check_alive()
        self._require_current()


def release_all(owned: Iterable[Any]) -> None:
    """Call `release` of each. Objects of moderngl, which it deletes by name in whichever context is current, are freed
    in their own: where that is not current, when an owner is next made in it.
    """
    for each in owned:
        ctx = getattr(each, "ctx", None) if hasattr(each, "mglo") else None
        if not isinstance(ctx, moderngl.Context) or isinstance(ctx.mglo, moderngl.InvalidObject):
            each.release()
        else:
            state_of(ctx).release_soon([each])


@contextmanager
def released_after(*made: Any) -> Iterator[None]:
    """Call `release` of each at the end of this block."""
    try:
        yield
    finally:
        release_all(made)


@contextmanager
def released_on_error(owned: Iterable[Any]) -> Iterator[None]:
    """Call `release` of each if this block raises; it may add to a list that it was given."""
    try:
        yield
    except BaseException:
        release_all(owned)
        raise
