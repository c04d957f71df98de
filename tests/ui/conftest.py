"""What the tests of the window and of Dear ImGui share."""

from __future__ import annotations

from support.drawing import framebuffer as framebuffer
from support.drawing import profiler as profiler
