"""`glfft channelize`: a recorded signal divided into channels."""

import argparse
import math

from glfft.commands import arguments as common
from glfft.commands.arguments import names, number, whole_number
from glfft.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    recording = "SigMF recording (.sigmf-meta or .sigmf-data) or raw samples (.cf32, .ci16, .ci8, .cu8)"
    parser.add_argument("recording", type=common.file_name, metavar="FILE", help=recording)
    add = common.adder(parser)
    output = "array of channels x times, or new folder with a file per channel"
    add("-o --output FILE.npy|DIR", common.file_name, f"{output} (default: NAME-channels.npy beside the recording)")
    add = common.adder(parser, "channels")
    add("--channels M", whole_number(least=2), "number of channels, 2 or more", default=64)
    decimation = "keep every D-th sample of a channel, 1 to M; below M channels are oversampled (default: M)"
    add("--decimation D", whole_number(least=1), decimation)
    add("--taps N", whole_number(least=1), "filter taps per channel", default=12)
    add("--attenuation DB", number, "attenuation outside a channel, in decibels (default: 80)")
    staggered = "critically sampled channels that can be put together again, with real and imaginary parts in turn"
    add("--staggered", None, f"{staggered} (an even number of channels)")
    add("--keep LIST", names, "channels to write, such as 0,1,-1: 0 is the middle, -1 the one below (default: all)")
    algorithm = "algorithm of the transforms, such as four-by-four for 16 channels; 'glfft info' lists them"
    add("--algorithm NAME", str, algorithm, default="auto")
    add = common.adder(parser, "files")
    samples = "sample type of a raw file whose name does not tell: complex float32, or 16-bit or 8-bit integers"
    add("--samples", common.SAMPLES, samples)
    add("--rate HZ", number, "samples per second (default: as recorded)")
    add("--frequency HZ", number, "centre frequency of the recording (default: as recorded)")
    kinds = "files in a folder: SigMF recordings, raw complex float32, or numpy arrays (default: sigmf)"
    add("--as", ("sigmf", "raw", "npy"), kinds, dest="kind")
    common.add_device(parser)


def run(arguments: argparse.Namespace) -> int:
    for name in ("rate", "frequency"):
        value = getattr(arguments, name)
        if value is not None and not (math.isfinite(value) and (value > 0 or name == "frequency")):
            raise UsageError(f"--{name} is {value:g} and must be a {'positive ' * (name == 'rate')}number of hertz.")
    try:
        kept = None if arguments.keep is None else [common.integer(each) for each in arguments.keep]
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"--keep: {error}.") from None
    for name in ("decimation", "attenuation"):
        if arguments.staggered and getattr(arguments, name) is not None:
            raise UsageError(f"--{name} is not for --staggered channels, whose filter is given by --taps alone.")
    from glfft.channelizer import channel_files as work
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

    with (
        common.headless_context(arguments.device) as ctx,
        tqdm(total=recording.count, unit="sample", unit_scale=True, delay=1, leave=False, disable=None) as bar,
    ):
        options = {"kept": kept, "kind": arguments.kind or work.KINDS[0], "algorithm": arguments.algorithm}
        options["progress"] = lambda samples: bar.update(samples - bar.n)
        done = work.channelize_file(ctx, recording, bank, output, **options)
    print(done)
    return 0
