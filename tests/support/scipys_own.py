"""scipy's own transforms, which a backend takes the place of: pocketfft, and from scipy 1.18 on ducc."""

from __future__ import annotations

import importlib
import importlib.util

NAME = "_duccfft" if importlib.util.find_spec("scipy.fft._duccfft") else "_pocketfft"

# Its functions, over all axes or one, and those that scipy.fft calls.
package = importlib.import_module(f"scipy.fft.{NAME}")
basic = importlib.import_module(f"scipy.fft.{NAME}.basic")
