"""Owners of GPU objects, which `release` or the end of a `with` block frees."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self


class Releasable:
    """A context manager whose end calls `release`."""

    def release(self) -> None:
        """Free the GPU objects."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def release_all(owned: Iterable[Any]) -> None:
    """Call `release` of each."""
    for each in owned:
        each.release()
