"""`glfft channelize`: a recorded signal divided into channels."""

import argparse

from glfft.commands import arguments as common
from glfft.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    recording = "SigMF recording (.sigmf-meta or .sigmf-data) or raw samples (.cf32, .ci16, .ci8, .cu8)"
    parser.add_argument("recording", type=common.file_name, metavar="FILE", help=recording)
    add = common.adder(parser)
    output = "array of channels x times (.npy), or new folder (no ending) with a SigMF recording per channel"
    add("-o --output FILE.npy|DIR", common.file_name, f"{output} (default: NAME-channels.npy beside the recording)")
    add = common.add_bank(parser, 64, "1 to M; below M channels are oversampled (default: M)")
    staggered = "critically sampled channels that can be put together again, with real and imaginary parts in turn"
    add("--staggered", None, f"{staggered} (an even number of channels)")
    algorithm = "algorithm of the transforms, such as four-by-four for 16 channels; 'glfft info' lists them"
    add("--algorithm NAME", str, algorithm, default="auto")
    add = common.adder(parser, "files")
    samples = "sample type of a raw file whose name does not tell: complex float32, or 16-bit or 8-bit integers"
    add("--samples", common.SAMPLES, samples)
    add("--rate HZ", common.number, "samples per second (default: as recorded)")
    common.add_device(parser)


def run(arguments: argparse.Namespace) -> None:
    if arguments.staggered and arguments.decimation is not None:
        raise UsageError("--decimation is not for --staggered channels, whose filter is given by --taps alone.")
    from glfft.channelizer.channel_files import channelize_file
    from glfft.channelizer.filters import FilterBank
    from glfft.channelizer.recordings import open_recording

    signal = open_recording(arguments.recording, arguments.samples, arguments.rate)
    if arguments.channels > signal.count:
        raise UsageError(f"{arguments.recording} has {signal.count} samples; choose at most as many --channels.")
    if arguments.staggered:
        bank = FilterBank.design_staggered(arguments.channels, taps=arguments.taps)
    else:
        bank = FilterBank.design(arguments.channels, arguments.decimation, taps=arguments.taps)
    output = arguments.output or signal.path.with_name(f"{signal.path.stem}-channels.npy")
    from tqdm import tqdm

    with (
        common.headless_context(arguments.device) as ctx,
        tqdm(total=signal.count, unit="sample", unit_scale=True, delay=1, leave=False, disable=None) as bar,
    ):
        done = channelize_file(ctx, signal, bank, output, arguments.algorithm, lambda at: bar.update(at - bar.n))
    print(done)
