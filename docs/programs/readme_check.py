rows, columns = np.meshgrid(np.fft.fftfreq(64), np.fft.rfftfreq(128), indexing="ij")
exact = np.fft.irfft2(np.fft.rfft2(picture.real) * np.exp(-2 * (4.0 * np.pi) ** 2 * (rows**2 + columns**2)))
assert np.allclose(np.frombuffer(photo.read(), "f4").reshape(64, 128), exact, atol=1e-5)
