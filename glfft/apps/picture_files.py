"""Pictures written to files, whole or not at all."""

import io
import os
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from glfft.errors import OutputError
from glfft.files import write_whole


def save_picture(path: str | os.PathLike[str], picture: np.ndarray | Image.Image, **options: Any) -> None:
    """Write a picture, Pillow's or [height, width, 3] uint8 with the top row first, as the kind of file that its name
    says, with Pillow's options. Raises OutputError where it cannot be written, or that kind of file cannot hold it.
    """
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
    # Into memory first: several of Pillow's writers ignore a full disk, and JPEG 2000's never returns from one.
    encoded = io.BytesIO()
    # The name tells the kind of file; some kinds store it, in ASCII.
    encoded.name = f"picture{Path(path).suffix}"  # pyright: ignore[reportAttributeAccessIssue]
    try:
        image.save(encoded, **options)
    except (OSError, ValueError, KeyError, SystemError) as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise OutputError(f"Cannot write {path}: {reason}.") from error
    write_whole(path, encoded.getbuffer())
