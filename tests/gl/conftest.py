"""What the tests of GL state share."""

from __future__ import annotations

from support.drawing import framebuffer as framebuffer
from support.drawing import profiler as profiler
