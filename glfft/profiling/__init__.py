"""Where a frame spends its time: sections timed on GPU and CPU."""
