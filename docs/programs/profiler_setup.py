import glfft

ctx = glfft.open_context()
ctx.simple_framebuffer((640, 480)).use()
plan = glfft.Plan(ctx, (64, 64))
spectrum, field = (ctx.texture((64, 64), 2, dtype="f4") for _ in range(2))
window = None
drawing = [True] * 3


def draw_scene():
    drawing.pop()
