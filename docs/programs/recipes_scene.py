import numpy as np

import glfft

ctx = glfft.open_context()
rng = np.random.default_rng(4)
drawn = np.full((90, 160, 4), 0.1, np.float16)
drawn[30:33, 50:53, :3] = 40, 30, 20
scene = ctx.texture((160, 90), 4, drawn.tobytes(), dtype="f2")
