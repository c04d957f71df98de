assert np.array_equal(shades, picture)
assert np.allclose(half, np.fft.rfft2(picture), rtol=1e-3, atol=1e-3)
