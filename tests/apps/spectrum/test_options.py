"""What the options mean for a picture, and which values there are."""

from __future__ import annotations

import pytest

from glfft.apps.spectrum.options import View
from glfft.errors import OptionError


def test_unknown_names_are_refused() -> None:
    for wrong in (("spectrum", "log", None), ("phase", "cubic", None), ("phase", "log", "jet")):
        with pytest.raises(OptionError, match="must be one of"):
            View(*wrong)


@pytest.mark.parametrize(
    ("view", "scale", "exponent"),
    [("magnitude", "linear", 1.0), ("magnitude", "sqrt", 0.5), ("power", "linear", 2.0), ("power", "sqrt", 1.0)],
)
def test_brightness_is_a_power_of_the_magnitude(view: str, scale: str, exponent: float) -> None:
    assert View(view, scale).exponent == exponent
    assert View(view, "log").exponent is None


def test_each_view_has_colours_of_its_own_until_others_are_chosen() -> None:
    assert [View(view).table_name for view in ("magnitude", "power", "phase", "complex")] == [
        "ember",
        "ember",
        "hue",
        "complex",
    ]
    assert View("phase", colormap="grey").table_name == "grey"
    assert View("complex", colormap="grey").table_name == "complex", "it shows two numbers at once"


def test_three_spectra_become_one_picture_where_colours_are_free() -> None:
    for view in (View("magnitude"), View("power")):
        assert view.groups("rgb") == ["rgb"]
        assert view.groups("y") == [["y"]]
    for view in (View("magnitude", colormap="ember"), View("phase"), View("complex")):
        assert view.groups("rgb") == [["r"], ["g"], ["b"]]
