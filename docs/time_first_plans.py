"""Time to a first plan and its first runs in a fresh process, with constants and with one program for both directions.

Run in a checkout: `PYTHONPATH=. python docs/time_first_plans.py [SHAPE ...]`. Each line is the median of three
processes, in ms, first without the cache of the driver on disk, then with it. `pair_us` is a forward and an inverse,
queued many times. GPUs have constants: `either` would take half the compiling there, if runs do not get slower by it.
"""

import json
import os
import statistics
import subprocess
import sys

CHILD = """
import json, os, sys, time
import glfft, glfft.plan
from glfft.engine import plan_passes
from glfft.algorithms.either_direction import in_either_direction
import glfft.plan as plan_module
shape, way = tuple(map(int, sys.argv[1].split("x"))), sys.argv[2]
plan_passes.in_either_direction = lambda spec: spec  # what plans do by themselves on CPUs
if way == "either":
    before = plan_passes.plan_passes
    made = lambda *given: [in_either_direction(each) for each in before(*given)]
    plan_passes.plan_passes = plan_module.plan_passes = made
ctx = glfft.open_context()
times = {}
def timed(name, call):
    ctx.finish(); begin = time.perf_counter(); call(); ctx.finish()
    times[name] = 1e3 * (time.perf_counter() - begin)
texture = lambda: ctx.texture(shape[::-1], 2, bytes(8 * shape[0] * shape[1]), dtype="f4")
source, target = texture(), texture()
def make():
    global plan
    plan = glfft.Plan(ctx, shape)
timed("plan", make)
timed("forward", lambda: plan.forward(source, target))
timed("inverse", lambda: plan.inverse(target, source))
def repeated():
    for _ in range(200):
        plan.forward(source, target)
        plan.inverse(target, source)
if "llvmpipe" not in ctx.info["GL_RENDERER"]:
    timed("warm", repeated)
    timed("pair_us", repeated)
    times["pair_us"] *= 1e3 / 200
    times.pop("warm")
times["total"] = times["plan"] + times["forward"] + times["inverse"]
print(json.dumps({"device": ctx.info["GL_RENDERER"], **times}))
"""


def run(shape: str, way: str, cached: bool) -> dict[str, float]:
    off = {} if cached else {"__GL_SHADER_DISK_CACHE": "0", "MESA_SHADER_CACHE_DISABLE": "true"}
    done = subprocess.run(
        [sys.executable, "-c", CHILD, shape, way], capture_output=True, text=True, env={**os.environ, **off}
    )
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


for shape in sys.argv[1:] or ["256x256", "512x512", "1080x1920", "2160x3840", "4096x4096", "1021x997"]:
    for cached in (False, True):
        for way in ("constants", "either"):
            found = [run(shape, way, cached) for _ in range(3 + cached)][cached:]
            middle = {k: statistics.median(each[k] for each in found) for k in found[0] if k != "device"}
            numbers = "  ".join(f"{k} {v:.1f}" for k, v in middle.items())
            print(
                f"{shape:10} {'cached  ' if cached else 'no cache'} {way:9} {numbers}  {found[0]['device']}", flush=True
            )
