result = np.frombuffer(normals.read(), np.uint8).reshape(256, 256, 4)[..., :3] / 255 * 2 - 1
assert ctx.error == "GL_NO_ERROR"
k = 2 * np.pi * np.fft.fftfreq(256)
k[128] = 0
exact = np.dstack([-0.5 * np.fft.ifft2(np.fft.fft2(heights) * 1j * each).real for each in (k, k[:, None])])
exact = np.dstack([exact, np.ones((256, 256))])
exact /= np.linalg.norm(exact, axis=-1, keepdims=True)
assert np.abs(result - exact).max() < 2.01 / 255  # OpenGL may take either of the two nearest levels
assert np.abs(result - exact).mean() < 0.6 / 255
