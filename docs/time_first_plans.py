"""Time to a first plan and its first runs in a fresh process: with constants, with one program for both directions, and
with wait=False.

Run in a checkout: `PYTHONPATH=. python docs/time_first_plans.py [SHAPE ...]`. Each line is the median of three
processes, in ms: the first one with an empty cache of the driver on disk, or a later one. `pair_us` is a forward and an
inverse, queued many times. GPUs have constants: `either` takes half the compiling there, and runs take 0.5 to 5 %
longer. Plans with wait=False have `settled` after so long; `longest` is the longest run until then.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile

CHILD = """
import json, os, sys, time
import glfft, glfft.plan
from glfft.engine import plan_passes
from glfft.algorithms.passes import in_either_direction
import glfft.plan as plan_module
shape, way = tuple(map(int, sys.argv[1].split("x"))), sys.argv[2]
if way != "wait=False":
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
    plan = glfft.Plan(ctx, shape, wait=way != "wait=False")
timed("plan", make)
timed("forward", lambda: plan.forward(source, target))
timed("inverse", lambda: plan.inverse(target, source))
def repeated():
    for _ in range(200):
        plan.forward(source, target)
        plan.inverse(target, source)
begin, longest = time.perf_counter(), 0.0
while not plan.settled:
    timed("run", lambda: plan.forward(source, target))
    longest = max(longest, times.pop("run"))
    time.sleep(4e-3)
times["total"] = times["plan"] + times["forward"] + times["inverse"]
if way == "wait=False":
    times |= {"settled": 1e3 * (time.perf_counter() - begin), "longest": longest}
if "llvmpipe" not in ctx.info["GL_RENDERER"]:
    timed("warm", repeated)
    timed("pair_us", repeated)
    times["pair_us"] *= 1e3 / 200
    times.pop("warm")
print(json.dumps({"device": ctx.info["GL_RENDERER"], **times}))
"""


def run(shape: str, way: str, folder: str) -> dict[str, float]:
    """What a process measures whose driver keeps its cache in a folder."""
    cache = {"__GL_SHADER_DISK_CACHE": "1", "__GL_SHADER_DISK_CACHE_PATH": folder, "MESA_SHADER_CACHE_DIR": folder}
    command = [sys.executable, "-c", CHILD, shape, way]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **cache})
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


for shape in sys.argv[1:] or ["256x256", "512x512", "1080x1920", "2160x3840", "4096x4096", "1021x997"]:
    for way in ("constants", "either", "wait=False"):
        found: dict[str, list[dict[str, float]]] = {"first": [], "later": []}
        for _ in range(3):
            with tempfile.TemporaryDirectory() as folder:
                for each in found.values():
                    each.append(run(shape, way, folder))
        for process, measured in found.items():
            names = [name for name in measured[0] if name != "device"]
            numbers = "  ".join(f"{name} {statistics.median(each[name] for each in measured):.1f}" for name in names)
            print(f"{shape:10} {process} {way:10} {numbers}  {measured[0]['device']}", flush=True)
