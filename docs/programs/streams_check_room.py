song = np.concatenate(dry)[TAIL:]
exact = np.convolve(song, room)[: len(wet)]
assert len(wet) >= len(song)
assert np.abs(wet[: len(exact)] - exact).max() < 1e-5 * np.abs(exact).max()
