"""What `import glfft` gives, and what it does not load."""

from __future__ import annotations

import subprocess
import sys

import pytest

import glfft


def python(program: str) -> str:
    """What a program prints in a process of its own."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_import_loads_neither_numpy_nor_moderngl() -> None:
    printed = python(
        "import sys, glfft\n"
        "print(glfft.__version__, glfft.GlfftError.__name__, 'Plan' in dir(glfft), 'errors' in dir(glfft))\n"
        "print([name for name in ('numpy', 'moderngl', 'PIL', 'glfft.plan') if name in sys.modules])\n"
    )
    assert printed.splitlines() == [f"{glfft.__version__} GlfftError True False", "[]"]


def test_every_public_name_is_there() -> None:
    everything: dict[str, object] = {}
    exec("from glfft import *", everything)
    for name in glfft.__all__:
        assert everything[name] is getattr(glfft, name)
        assert name in dir(glfft)


@pytest.mark.parametrize("after", ["", "glfft.algorithm_names()\n", "glfft.Plan\n"])
def test_no_function_hides_a_package(after: str) -> None:
    program = f"import glfft\n{after}import glfft.algorithms.registry\nprint('stockham' in glfft.algorithm_names())\n"
    assert python(program + "print(glfft.algorithms.registry.__name__)").split() == [
        "True",
        "glfft.algorithms.registry",
    ]


def test_modules_are_there_without_an_import_of_their_own() -> None:
    assert python("import glfft\nprint(glfft.errors.ShapeError.__name__, glfft.snippets.__name__)") == (
        "ShapeError glfft.snippets"
    )


def test_other_names_are_attribute_errors() -> None:
    for name in ("nothing", "_nothing", "__nothing__"):
        with pytest.raises(AttributeError, match=f"module 'glfft' has no attribute '{name}'"):
            getattr(glfft, name)
    with pytest.raises(ImportError):
        exec("from glfft import nothing")
