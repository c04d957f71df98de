rows, columns = np.meshgrid(np.fft.fftfreq(256), np.fft.rfftfreq(512), indexing="ij")
exact = np.fft.irfft2(np.fft.rfft2(picture.real) * np.exp(-2 * (4.0 * np.pi) ** 2 * (rows**2 + columns**2)))
assert np.allclose(np.frombuffer(photo.read(), "f4").reshape(256, 512), exact, atol=1e-5)
