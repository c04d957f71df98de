"""What a message to a user looks like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


def assert_one_sentence(message: str) -> None:
    """Fail unless the text is one line, starts like a sentence, ends like one, and is only one."""
    assert "\n" not in message, message
    assert re.match(r"[A-Z`'\d]|[a-z_]+(-[a-z0-9]+)* ", message), message
    assert message.endswith((".", "?")), message
    assert not re.search(r"[.?!]\s+[A-Z]", message), message
    assert len(message) > 20, message


@contextmanager
def refused(
    kind: type[Exception] | tuple[type[Exception], ...], *words: str, match: str | None = None
) -> Iterator[Any]:
    """Expect an error in a block, whose message is one sentence with some words in it."""
    with pytest.raises(kind, match=match) as caught:
        yield caught
    message = str(caught.value)
    del caught  # the error refers to this frame: together they would keep what the block has made
    assert_one_sentence(message)
    for each in words:
        assert each in message


def one_line_of_error(capsys: pytest.CaptureFixture[str]) -> str:
    """What a command has written to its standard error, which must be one line."""
    error = capsys.readouterr().err
    assert error.count("\n") == 1, error
    return error
