values = np.frombuffer(scene.read(), np.float16).reshape(90, 160, 4).astype(float)
found = np.frombuffer(bloomed.read(), np.float16).reshape(90, 160, 4)
around = np.pad(values[..., 0], [(64, 64), (128, 128)], mode="edge")
kernel = np.zeros(around.shape)
kernel[:65, :129] = rays / rays.sum()
exact = np.fft.ifft2(np.fft.fft2(around) * np.fft.fft2(kernel)).real[96:186, 192:352]
assert np.abs(found[..., 0] - exact).max() < 0.001 * exact.max()
