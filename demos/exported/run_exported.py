"""Run what `glfft export` wrote, without glfft: python run_exported.py FOLDER forward in.npy out.npy"""

import json
import sys
from pathlib import Path

import moderngl
import numpy as np


class Exported:
    """One direction of an export: its textures, buffers and programs in a context."""

    def __init__(self, ctx: moderngl.Context, folder: Path, direction: str) -> None:
        manifest = json.loads((folder / "manifest.json").read_text())
        assert (manifest["format"], manifest["version"]) == ("glfft export", 1)
        self.ctx, self.parts = ctx, manifest["directions"][direction]
        self.made = {name: self.make(each, folder) for name, each in self.parts["resources"].items()}
        files = {each["glsl"] for each in self.parts["passes"]}
        self.programs = {file: ctx.compute_shader((folder / file).read_text()) for file in files}

    def make(self, resource: dict, folder: Path):
        """A texture or a buffer, filled from its file if it has one."""
        data = (folder / resource["file"]).read_bytes() if "file" in resource else None
        if resource["kind"] == "buffer":
            return self.ctx.buffer(data, reserve=0 if data else resource["bytes"])
        makers = {"2d": self.ctx.texture, "2d_array": self.ctx.texture_array, "3d": self.ctx.texture3d}
        dtype = {"float16": "f2", "float32": "f4"}[resource["number"]]
        return makers[resource["dimension"]](resource["size"], resource["components"], data, dtype=dtype)

    def run(self) -> None:
        """Transform `made["source"]` into `made["target"]`."""
        for each in self.parts["passes"]:
            self.ctx.memory_barrier(each["barrier"]["bits"])
            program = self.programs[each["glsl"]]
            for uniform in each["uniforms"]:
                if uniform["name"] in program:  # compilers drop what has no effect
                    program[uniform["name"]].value = uniform["value"]
            for bound in each["bindings"]:
                resource, access = self.made[bound["resource"]], bound.get("access", "")
                if bound["kind"] == "buffer":
                    resource.bind_to_storage_buffer(bound["binding"])
                elif bound["kind"] == "image":
                    resource.bind_to_image(bound["binding"], "read" in access, "write" in access)
                else:
                    resource.use(bound["binding"])
            program.run(*each["groups"])
        self.ctx.memory_barrier()


if __name__ == "__main__":
    try:
        exported = Exported(moderngl.create_standalone_context(backend="egl"), Path(sys.argv[1]), sys.argv[2])
        values, number = np.load(sys.argv[3]), exported.parts["resources"]["source"]["number"]
        assert values.real.dtype == number, f"{sys.argv[3]} holds {values.dtype} and not {number}"
        exported.made["source"].write(values.tobytes())
        exported.run()
        np.save(sys.argv[4], np.frombuffer(exported.made["target"].read(), number))
    except (AssertionError, LookupError, OSError, ValueError, moderngl.Error) as error:
        sys.exit(f"Name an export, a direction, .npy files to read and write: {type(error).__name__} {error}.")
