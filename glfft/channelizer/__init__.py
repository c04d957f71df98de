"""Polyphase channelizer: a wideband signal divided into channels side by side, and put together again.

    bank = FilterBank.design(64, decimation=32)
    with Channelizer(ctx, bank) as channelizer:
        for block in channelizer.run(samples):
            ...  # [channels, times]

`filters` has the mathematics, `bank` what runs on the GPU, `recordings` files of samples, `wideband` signals to try.
"""
