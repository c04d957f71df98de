"""Spectra that `glfft spectrum --save-data` wrote, as numpy arrays to be edited."""

from __future__ import annotations

from glfft.spectrum.data_files import load, save

__all__ = ["load", "save"]
