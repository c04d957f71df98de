"""Conditions of the preprocessor: each is decided as C decides it, or refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glfft.gl.glsl import is_true

NUMBERS = st.integers(0, 9).map(str)
COMPARISONS = st.sampled_from(["==", "!=", "<", ">", "<=", ">="])
SUMS = st.tuples(NUMBERS, st.sampled_from(["+", "-", "*"]), NUMBERS).map(lambda parts: f"({' '.join(parts)})")
COMPARED = st.tuples(NUMBERS | SUMS, COMPARISONS, NUMBERS | SUMS).map(" ".join)
CONDITIONS = st.recursive(
    COMPARED,
    lambda inner: st.tuples(inner, st.sampled_from(["&&", "||"]), inner).map(" ".join) | inner.map("!({})".format),
    max_leaves=6,
)


@given(CONDITIONS)
def test_conditions_of_numbers_are_decided_as_python_decides_them(condition: str) -> None:
    python = condition.replace("&&", " and ").replace("||", " or ").replace("!=", "<>").replace("!", " not ")
    assert is_true(condition, {}) is bool(eval(python.replace("<>", "!=").strip()))


@pytest.mark.parametrize(
    ("condition", "decided"),
    [
        ("N == 4", True),
        ("ALIAS == 4", True),  # a macro that names another
        ("defined(N) && !defined OTHER", True),
        ("-7 / 2 == -3 && -7 % 2 == -1", True),  # towards zero
        ("N == 4 // as always", True),
        ("__VERSION__ >= 430", None),  # the compiler's
        ("defined(GL_NV_gpu_shader5)", None),
        ("UNDECIDED == 1", None),
        ("N == 4 || UNDECIDED == 1", True),
        ("N == 5 && UNDECIDED == 1", False),
        ("ROUND == 1", None),  # it names itself
        ("1 / 0 == 1", None),
        ("(N == 4", None),
    ],
)
def test_a_condition_is_decided_or_refused(condition: str, decided: bool | None) -> None:
    macros = {"N": "4", "ALIAS": "N", "ROUND": "ROUND", "UNDECIDED": None}
    if decided is not None:
        assert is_true(condition, macros) is decided
        return
    with pytest.raises(ValueError, match=r"is no expression|no value|only the compiler"):
        is_true(condition, macros)
