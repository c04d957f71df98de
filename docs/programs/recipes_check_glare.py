result = np.frombuffer(glare.read(), np.float16).reshape(ROWS, COLUMNS, 4).astype(float)
assert ctx.error == "GL_NO_ERROR"
bright = ctx.texture((COLUMNS, ROWS), 4, dtype="f2")
plan.set_uniforms(factor=ctx.texture((COLUMNS, ROWS), 2, np.ones((ROWS, COLUMNS), np.complex64).tobytes(), dtype="f4"))
plan.convolve(None, bright, next_use="read")
source = np.frombuffer(bright.read(), np.float16).reshape(ROWS, COLUMNS, 4).astype(float)
assert source.max() > 30
assert np.abs(source[:25]).max() < 0.1
exact = np.fft.ifft2(np.fft.fft2(source, axes=(0, 1)) * spectrum[..., None], axes=(0, 1)).real
assert np.abs(result - exact).max() < 0.01 * exact.max()
