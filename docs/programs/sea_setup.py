import math

import numpy as np

import glfft

ctx = glfft.open_context()
screen = ctx.framebuffer([ctx.renderbuffer((160, 90))], ctx.depth_renderbuffer((160, 90)))
screen.use()
screen.clear()
eye = (30.0, 9.0, -12.0)
forward = np.array((60.0, 0.0, 60.0)) - eye
right = np.cross(forward, (0.0, 1.0, 0.0))
axes = np.array([axis / np.linalg.norm(axis) for axis in (right, np.cross(right, forward), -forward)])
view = np.eye(4)
view[:3, :3], view[:3, 3] = axes, -axes @ eye
projection = np.diag((1.2, 1.2 * 16 / 9, -1.0, 0.0))
projection[2, 3], projection[3, 2] = -1.0, -1.0
camera = (projection @ view).T.astype(np.float32).tobytes()
times = [1.0, 1.02]
