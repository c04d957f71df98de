"""What a message to a user looks like."""

from __future__ import annotations

import re


def assert_one_sentence(message: str) -> None:
    """Fail unless the text is one line, starts like a sentence, ends like one, and is only one."""
    assert "\n" not in message, message
    assert re.match(r"[A-Z`'\d]|[a-z_]+(-[a-z0-9]+)* ", message), message
    assert message.endswith((".", "?")), message
    assert not re.search(r"[.?!]\s+[A-Z]", message), message
    assert len(message) > 20, message
