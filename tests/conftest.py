"""One headless OpenGL context for the whole test run, and the test options that hold everywhere."""

from __future__ import annotations

import os
from collections.abc import Iterator

import hypothesis
import moderngl
import pytest

import glfft

# The first example of a property compiles shaders; a deadline would time the compiler.
hypothesis.settings.register_profile("glfft", deadline=None, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("glfft")


@pytest.fixture(scope="session")
def ctx() -> Iterator[moderngl.Context]:
    """The session's headless context: a process has one per thread, so tests share it and leave it clean."""
    context = glfft.open_context()
    yield context
    context.release()


@pytest.fixture(autouse=True)
def _no_gl_error_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that uses the context fails if it leaves a GL error: moderngl itself never reports one."""
    yield
    if "ctx" in request.fixturenames:
        error = request.getfixturevalue("ctx").error
        assert error == "GL_NO_ERROR", f"the test left {error} behind"
