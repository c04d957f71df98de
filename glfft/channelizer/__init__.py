"""Polyphase channelizer: a wideband signal divided into channels, and put together again.

    bank = FilterBank.design(64, decimation=32)
    with Channelizer(ctx, bank) as channelizer:
        for block in channelizer.run(samples):
            ...  # [channels, times]

`FilterBank` has the filters; `Channelizer` and `Synthesizer` run them on the GPU, on samples of any iterable of arrays.
`open_recording` reads SigMF and raw files, and `Wideband` makes a synthetic signal.
"""

from glfft.channelizer.bank import Channelizer, Synthesizer
from glfft.channelizer.filters import FilterBank
from glfft.channelizer.recordings import Recording, Wideband, open_recording

__all__ = ["Channelizer", "FilterBank", "Recording", "Synthesizer", "Wideband", "open_recording"]
