"""Spectrum, input and settings in one .npz file, from which the image can be restored."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image

from glfft.apps.spectrum.fitting import Fit
from glfft.apps.spectrum.options import CHANNELS, FITS, WINDOWS, View
from glfft.apps.spectrum.source_pictures import BIT_DEPTHS
from glfft.errors import OptionError
from glfft.files import PathName
from glfft.files.npz import UnexpectedNpz, open_npz, save_npz
from glfft.files.spectra import WANTED

_FORMAT = "glfft spectrum 1"


@dataclass(frozen=True)
class Archive:
    """What `--save-data` writes."""

    spectrum: np.ndarray  # complex64 [planes, rows, columns], unshifted, numpy's sign and factor
    input: np.ndarray  # float32 [planes, rows, columns], as transformed: fitted and windowed; 0 is black and 1 is white
    fit: Fit  # the sizes before and after
    channel: str  # channel, window: as on the command line
    window: str
    mode: str  # mode, bit_depth, white: of the picture read (`glfft.apps.spectrum.source_pictures.Picture`)
    bit_depth: int
    white: float
    source: str  # the picture's file name
    notes: Sequence[str] = ()  # what a reader of the result ought to know; not written

    @property
    def description(self) -> str:
        """What was done, for one line of output: size, channel, fit, window, notes."""
        rows, columns = self.fit.original
        window = "no window" if self.window == "none" else f"{self.window} window"
        return ", ".join([f"{columns}x{rows}", self.channel, str(self.fit), window, *self.notes])

    @property
    def title(self) -> str:
        return f"{self.source}: {self.description}"


def save_archive(path: PathName, archive: Archive, view: dict[str, object]) -> None:
    """Write an archive, one plane as [rows, columns], with the settings of the picture beside it, or OutputError."""
    planes, fit = slice(None) if len(archive.input) == 3 else 0, archive.fit
    contents: dict[str, object] = {
        "spectrum": archive.spectrum[planes].astype(np.complex64),
        "input": archive.input[planes].astype(np.float32),
        "format": _FORMAT,
        **{name: getattr(archive, name) for name in ("source", "channel", "window", "mode", "bit_depth", "white")},
        "fit": fit.kind,
        "original_shape": fit.original,
        "crop_offset": fit.offset,
        "padding": fit.padding,
        "input_range": "0 is black, 1 is white",
        **view,
    }
    save_npz(path, {name: np.asarray(value) for name, value in contents.items()})


def load_archive(path: PathName) -> Archive:
    """Read an archive back; nothing large before the file's own account of its sizes was checked. Raises DataError
    where the file is missing, damaged, too large, or not written by `save_archive`.
    """
    with open_npz(path, WANTED) as file:
        if str(file.setting("format")) != _FORMAT:
            raise UnexpectedNpz("its format is another")
        names = ("channel", "window", "fit", "mode", "source")
        channel, window, kind, mode, source = (str(file.setting(name)) for name in names)
        if channel not in CHANNELS or window not in WINDOWS or kind not in FITS:
            raise UnexpectedNpz("its channel, window or fit is unknown")
        try:
            rows, columns = (int(length) for length in file.setting("original_shape"))
            white, bit_depth = float(file.setting("white")), int(file.setting("bit_depth"))
        except (TypeError, ValueError, OverflowError) as error:
            raise UnexpectedNpz("its original_shape, white or bit_depth is no number") from error
        if not 0 < white < math.inf or bit_depth not in BIT_DEPTHS:
            raise UnexpectedNpz("its white or bit_depth is out of range")
        shape, dtype = file.header("spectrum")
        if dtype != np.complex64 or file.header("input") != (shape, np.float32):
            raise UnexpectedNpz("its spectrum is not complex64, or its input is not float32 of the same shape")
        fit = Fit(kind, (rows, columns), (shape[-2], shape[-1]) if len(shape) in (2, 3) else (0, 0))
        if shape[:-2] != ((3,) if channel == "rgb" else ()) or not fit.is_possible:
            raise UnexpectedNpz("its shapes do not belong together")
        most = Image.MAX_IMAGE_PIXELS
        if most is not None and rows * columns > most:
            raise UnexpectedNpz(f"it is for a picture of {columns}x{rows}, and none of more than {most} pixels is read")
        file.check_size(["spectrum", "input"])
        spectrum, planes = (file.read(name).reshape(-1, *fit.fitted) for name in ("spectrum", "input"))
    return Archive(spectrum, planes, fit, channel, window, mode, bit_depth, white, source)


def load_view(path: PathName) -> View:
    """How the picture beside an archive was drawn. Raises DataError as `load_archive` does."""
    with open_npz(path, WANTED) as file:
        view, scale, table, origin = (str(file.setting(name)) for name in ("view", "scale", "colormap", "phase_origin"))
        try:
            default = View(view, scale, shift=bool(file.setting("shift")), phase_origin=origin)
            # The file names the table of the default too, of which three spectra become one picture.
            return default if table == default.table_name else replace(default, colormap=table)
        except (OptionError, ValueError) as error:
            raise UnexpectedNpz("its view is unknown") from error
