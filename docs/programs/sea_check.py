assert ctx.error == "GL_NO_ERROR"
picture = np.frombuffer(screen.read(), np.uint8).reshape(90, 160, 3)
assert np.ptp(picture[20:50, 40:120]) > 20
assert step.dispatches == 2
