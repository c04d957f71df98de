"""OpenEXR and Radiance HDR pictures to be changed: read and written again with what their files hold."""

from pathlib import Path

import numpy as np

from glfft.apps.bloom.radiance_files import decode_hdr, encode_hdr, exr_channels, exr_colours, write_exr
from glfft.apps.spectrum.stored_pictures import StoredPicture
from glfft.errors import DataError
from glfft.files import reason_of, refuse_pipe, write_whole

_SUFFIXES = (".exr", ".hdr", ".pic")


def is_light(path: Path) -> bool:
    """Whether a file's name says that it holds linear light."""
    return path.suffix.lower() in _SUFFIXES


def read_light(path: Path) -> StoredPicture:
    """A picture of linear light, float16 or float32 as its file has it.

    Raises:
        DataError: it cannot be read.
        MissingExtraError: an .exr without OpenEXR.
    """
    try:
        refuse_pipe(path)
        if path.suffix.lower() == ".exr":
            return _read_exr(path)
        content = path.read_bytes()
        # The header goes on to the first empty line.
        return StoredPicture(decode_hdr(content), 3, "RGB", 1, [], {"header": content.partition(b"\n\n")[0]})
    except OSError as error:
        raise DataError(f"The picture cannot be read: {reason_of(error)}.") from error
    except DataError as error:
        raise DataError(f"The picture cannot be read: {error}") from error


def _read_exr(path: Path) -> StoredPicture:
    planes, attributes = exr_channels(path)
    samples = exr_colours(planes)
    colours = samples.shape[2]
    if (alpha := planes["RGBA"][..., 3] if "RGBA" in planes else planes.get("A")) is not None:
        samples = np.concatenate((samples, alpha[..., None].astype(np.float32)), axis=2)
    if all(plane.dtype == np.float16 for plane in planes.values()):
        samples = samples.astype(np.float16)
    others = sorted({*planes} - {"RGB", "RGBA", *"RGBYA"})
    notes = [f"channels {', '.join(others)} left out"] if others else []
    return StoredPicture(samples, colours, "RGB", 1, notes, {"attributes": attributes})


def write_light(path: Path, picture: StoredPicture) -> None:
    """Write linear light as .exr or .hdr, as the name says. An .hdr has no alpha, and no light below 0.

    Raises:
        OutputError: it cannot be written.
        MissingExtraError: an .exr without OpenEXR.
    """
    samples, options = picture.samples, picture.options
    if path.suffix.lower() == ".exr":
        write_exr(path, samples, options.get("attributes"))
        return
    colours = np.maximum(samples[..., : picture.colours].astype(np.float32), 0.0)
    header = {"header": options["header"]} if "header" in options else {}
    write_whole(path, encode_hdr(np.broadcast_to(colours, (*colours.shape[:2], 3)), **header))
