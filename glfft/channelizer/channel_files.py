"""The work of `glfft channelize`: a recording to files of channels, all of them or none."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.channelizer.bank import Channelizer
from glfft.channelizer.filters import FilterBank
from glfft.channelizer.recordings import DATA, META, Recording
from glfft.errors import OutputError
from glfft.files import PathName, atomic_write, check_takes_files, check_writable, whole_folder

_Block = npt.NDArray[np.complex64]


def check_output(output: PathName, source: Path) -> None:
    """Raise OutputError if channels cannot be written: to another .npy file, or a folder (no ending), new or empty."""
    path = Path(output)
    if path.suffix == ".npy":
        check_writable(path)
        if path.exists() and path.samefile(source):
            raise OutputError(f"{path} is the recording itself; name another file to write to.")
        return
    if path.is_dir() and any(path.iterdir()):
        raise OutputError(f"Cannot write channels into {path}: the folder is not empty; name a new one.")
    if (path.exists() or path.suffix) and not path.is_dir():
        raise OutputError(f"Cannot write {path}: name a .npy file, or a new folder without a dot in its name.")
    check_takes_files(path.absolute().parent, path)


def channelize_file(ctx: moderngl.Context, recording: Recording, bank: FilterBank, output: PathName,
                    algorithm: str = "auto",
                    progress: Callable[[int], object] = lambda samples: None) -> str:  # fmt: skip
    """Write the channels of a recording; returns what was written, in a sentence. Raises OutputError where the output
    cannot be written; nothing of it stays. Other errors are those of `Channelizer`.

    Args:
        output: a file that ends in .npy, for one array [channels, times] of complex64; else a folder that is made,
            for a SigMF recording of each channel.
        algorithm: of the transforms, as for `Channelizer`.
        progress: called with the number of samples done, again and again.
    """
    check_output(output, recording.path)
    path = Path(output)
    times = -(-recording.count // bank.decimation)
    with Channelizer(ctx, bank, samples=recording.format.name, algorithm=algorithm) as channelizer:

        def blocks() -> Iterator[_Block]:
            done = 0
            for block in channelizer.run(recording.samples()):
                yield block
                done += block.shape[1]
                progress(min(done * bank.decimation, recording.count))

        try:
            if path.suffix == ".npy":
                _write_array(path, (bank.channels, times), blocks())
            else:
                _write_folder(path, recording, bank, blocks())
        except OSError as error:
            raise OutputError(f"Cannot write {path}: {error.strerror or error}.") from error
    rate = f" at {recording.rate / bank.decimation:g} a second" if recording.rate else ""
    return f"{path}: {bank.channels} channels of {times} samples{rate}"


def _write_array(path: Path, shape: tuple[int, int], blocks: Iterable[_Block]) -> None:
    with atomic_write(path) as temporary, temporary.open("r+b") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<c8", "fortran_order": False, "shape": shape})
        begin, first = file.tell(), 0
        for block in blocks:
            for row, channel in enumerate(block):
                file.seek(begin + 8 * (row * shape[1] + first))
                file.write(np.ascontiguousarray(channel).data)
            first += block.shape[1]


def _write_folder(path: Path, recording: Recording, bank: FilterBank, blocks: Iterable[_Block]) -> None:
    with whole_folder(path) as folder:
        digits = len(str(bank.channels - 1))
        files = [folder / f"channel-{channel:0{digits}}{DATA}" for channel in range(bank.channels)]
        for channel, name in enumerate(files):
            name.touch()
            name.with_suffix(META).write_text(_meta_text(recording, bank, channel), encoding="utf-8")
        for block in blocks:
            # A file at a time: a process may have few files open, and there may be many channels.
            for name, samples in zip(files, block, strict=True):
                with name.open("ab") as file:
                    file.write(np.ascontiguousarray(samples).data)


def _meta_text(recording: Recording, bank: FilterBank, channel: int) -> str:
    """The text of a channel's .sigmf-meta file."""
    nearest = channel - bank.channels if 2 * channel > bank.channels else channel
    frequency = recording.frequency + nearest * recording.rate / bank.channels
    description = f"channel {channel} of {bank.channels} of {recording.path.name}"
    if bank.staggered:
        description += f", imaginary parts half a sample {'earlier' if channel % 2 else 'later'}"
    settings: dict[str, object] = {
        "core:datatype": "cf32_le",
        "core:version": "1.2.0",
        "core:description": description,
        "core:recorder": "glfft",
        **({"core:sample_rate": recording.rate / bank.decimation} if recording.rate else {}),
    }
    capture = {"core:sample_start": 0, "core:frequency": frequency}
    return json.dumps({"global": settings, "captures": [capture], "annotations": []}, indent=2) + "\n"
