"""Worker processes: where there can be one, and that it is started by no other program than Python."""

from __future__ import annotations

import sys

import pytest
from support.tuning import LEAST, until

from glfft.gl.device import Device
from glfft.tuning import worker
from glfft.tuning.worker import Worker


def test_where_there_is_no_such_device_it_is_lost_and_takes_no_more() -> None:
    job = Device(LEAST, "a renderer that nobody has", "1.0")
    each = Worker(job)
    each.ask("a task")
    assert each.busy
    until(lambda: each.answers() == [] and each.lost)
    assert not each.busy
    each.ask("another task")
    assert not each.busy
    each.release()


def test_a_program_that_python_is_built_into_is_not_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert worker._interpreter() == sys.executable
    for name in ("/opt/painter/painter", "", None):
        monkeypatch.setattr(sys, "executable", name)
        assert worker._interpreter() is None
        assert Worker(None).lost
    monkeypatch.undo()
    monkeypatch.setattr(sys, "path", [*sys.path, None, 3])
    odd = Worker(None)
    assert odd._finalizer is not None
    odd.release()
    monkeypatch.setattr(sys, "executable", "/nowhere/python3")
    assert Worker(None).lost
    monkeypatch.undo()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert worker._interpreter() is None
