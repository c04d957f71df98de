"""The sea as a library: a random sea of a named spectrum, four inverse transforms a frame (Tessendorf 2001).

It computes, and draws nothing; `glfft.apps.ocean` is the program around it. docs/sea.md shows how to use it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glfft.sea.fields import OceanTwin
    from glfft.sea.many import ManySeas
    from glfft.sea.maps import SeaMaps
    from glfft.sea.queries import SeaQueries
    from glfft.sea.settings import OceanSettings, Swell
    from glfft.sea.simulation import OceanSimulation
    from glfft.sea.step import OceanStep

__all__ = ["ManySeas", "OceanSettings", "OceanSimulation", "OceanStep", "OceanTwin", "SeaMaps", "SeaQueries", "Swell"]

# Where they are defined; imported when first used: settings are checked, and a sea is computed without moderngl.
_MODULES = ("many", "settings", "simulation", "step", "fields", "maps", "queries", "settings")


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[__all__.index(name)]}"), name)
