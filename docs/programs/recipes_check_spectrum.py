picture = np.frombuffer(shown.read(), np.uint8).reshape(256, 256, 4)
assert ctx.error == "GL_NO_ERROR"
assert picture[128, 128, 0] > 220
assert np.mean(picture[::16, ::16, 0]) < 200
assert np.ptp(picture[..., 0]) > 100
assert np.allclose(picture[1:, 1:, 0], picture[:0:-1, :0:-1, 0], atol=1)
