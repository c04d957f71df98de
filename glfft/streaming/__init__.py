"""Blocks of numbers in a stream: uploaded, transformed and downloaded, several at a time.

    with glfft.Plan(ctx, (64, 1024), axes=(1,), storage="buffer") as plan:
        with Stream(ctx, plan.forward, block=((64, 1024), "c8"), result=((64, 1024), "c8")) as stream:
            for spectra in stream.run(blocks):
                ...

`Stream` has the ring of buffers and their fences. `sources` has blocks from files and arrays.
"""
