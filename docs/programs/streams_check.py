assert ctx.error == "GL_NO_ERROR"
number = len(rows) // 2
line = seconds[number * HOP : number * HOP + LENGTH]
exact = np.abs(np.fft.rfft(np.hanning(LENGTH + 1)[:-1] * sweep[number * HOP : number * HOP + LENGTH] * 30000 / 32768))
assert abs(np.argmax(rows[number]) - np.argmax(exact)) == 0
assert np.allclose(rows[number].max(), 20 * np.log10(exact.max()), atol=0.01)
assert Image.open("spectrogram.png").size == (rows.shape[0], 513)
