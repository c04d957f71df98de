"""`glfft channelize`: a recorded signal divided into channels."""

from __future__ import annotations

import argparse
import math

from glfft.commands.arguments import add_device, file_name, integer, names, number, whole_number
from glfft.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `glfft channelize`."""
    parser.add_argument(
        "recording",
        type=file_name,
        metavar="FILE",
        help="a SigMF recording (.sigmf-meta or .sigmf-data), or raw samples (.cf32, .ci16, .ci8, .cu8)",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=file_name,
        metavar="FILE.npy|DIR",
        help="one array of channels x times, or a new folder with a file for each channel (default: NAME-channels.npy "
        "beside the recording)",
    )
    _add_bank(parser)
    files = parser.add_argument_group("files")
    files.add_argument(
        "--samples",
        choices=("cf32", "ci16", "ci8", "cu8"),
        help="type of a raw file's samples, if its name does not tell: complex float32, or numbers of 16 or 8 bits",
    )
    files.add_argument("--rate", type=number, metavar="HZ", help="samples a second (default: as recorded)")
    files.add_argument(
        "--frequency", type=number, metavar="HZ", help="in the middle of the recording (default: as recorded)"
    )
    files.add_argument(
        "--as",
        dest="kind",
        choices=("sigmf", "raw", "npy"),
        help="files in a folder: SigMF recordings, raw complex float32, or numpy arrays (default: sigmf)",
    )
    add_device(parser)


def _add_bank(parser: argparse.ArgumentParser) -> None:
    bank = parser.add_argument_group("channels")
    bank.add_argument(
        "--channels", type=whole_number(least=2), default=64, metavar="M", help="how many; any number from 2"
    )
    bank.add_argument(
        "--decimation",
        type=whole_number(least=1),
        metavar="D",
        help="keep every D-th sample of a channel, 1 to M; with less than M channels are oversampled (default: M)",
    )
    bank.add_argument(
        "--taps", type=whole_number(least=1), default=12, metavar="N", help="taps of the filter for each channel"
    )
    bank.add_argument(
        "--attenuation",
        type=number,
        metavar="DB",
        help="of what is outside a channel, in decibels (default: 80)",
    )
    bank.add_argument(
        "--staggered",
        action="store_true",
        help="take real and imaginary parts of a channel's samples in turn: channels that are not oversampled and can "
        "be put together again (an even number of channels)",
    )
    bank.add_argument(
        "--keep",
        type=names,
        metavar="LIST",
        help="write these channels, such as 0,1,-1: channel 0 is in the middle, -1 below it (default: all)",
    )
    bank.add_argument(
        "--algorithm",
        default="auto",
        metavar="NAME",
        help="algorithm of the transforms, such as del Mundo's four-by-four for 16 channels; 'glfft info' lists them "
        "(default: auto)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the channels. See `glfft.commands.cli` for the exit code."""
    for name in ("rate", "frequency"):
        value = getattr(arguments, name)
        if value is not None and not (math.isfinite(value) and (value > 0 or name == "frequency")):
            raise UsageError(f"--{name} is {value:g} and must be a {'positive ' * (name == 'rate')}number of hertz.")
    try:
        kept = None if arguments.keep is None else [integer(each) for each in arguments.keep]
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"--keep: {error}.") from None
    if arguments.staggered:
        for name in ("decimation", "attenuation"):
            if getattr(arguments, name) is not None:
                raise UsageError(f"--{name} is not for --staggered channels, whose filter is given by --taps alone.")
    from glfft.channelizer import run as work
    from glfft.channelizer.filters import FilterBank
    from glfft.channelizer.recordings import open_recording

    if arguments.staggered:
        bank = FilterBank.design_staggered(arguments.channels, taps=arguments.taps)
    else:
        attenuation = 80.0 if arguments.attenuation is None else arguments.attenuation
        bank = FilterBank.design(arguments.channels, arguments.decimation, taps=arguments.taps, attenuation=attenuation)
    recording = open_recording(arguments.recording, arguments.samples, arguments.rate, arguments.frequency)
    output = arguments.output or str(work.default_output(recording))
    if arguments.kind is not None and output.endswith(work.ONE_FILE):
        raise UsageError(f"--as is for a folder of files, and {output} is one file; leave it out, or name a folder.")
    work.check_output(output)
    from tqdm import tqdm

    from glfft.gl.context import open_context

    ctx = open_context(arguments.device)
    try:
        with tqdm(total=recording.count, unit="sample", unit_scale=True, delay=1, leave=False, disable=None) as bar:
            done = work.channelize_file(
                ctx,
                recording,
                bank,
                output,
                kept=kept,
                kind=arguments.kind or work.KINDS[0],
                algorithm=arguments.algorithm,
                progress=lambda samples: bar.update(samples - bar.n),
            )
    finally:
        ctx.release()
    print(done)
    return 0
