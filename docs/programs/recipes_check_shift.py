assert np.allclose((rows, columns), (0, 5), atol=0.05)
assert abs(score - 1) < 0.01
assert np.allclose(np.frombuffer(correlation.buffer.read(), np.float32)[:3], (rows, columns, score))
assert np.allclose(place, (27, 47, 1), atol=0.05)
