"""Run what `glfft export --portable --storage buffer` wrote, in wgpu-py:

python run_exported_wgpu.py FOLDER forward in.npy out.npy
"""

import json
import sys
from pathlib import Path

import numpy as np
import wgpu


class Exported:
    """One direction of an export of portable kernels for buffers: buffers, pipelines and bind groups on a device."""

    def __init__(self, device: wgpu.GPUDevice, folder: Path, direction: str) -> None:
        manifest = json.loads((folder / "manifest.json").read_text())
        assert (manifest["format"], manifest["version"]) == ("glfft export", 1)
        self.device, parts = device, manifest["directions"][direction]
        self.made = {name: self.make(each, folder) for name, each in parts["resources"].items()}
        self.passes = [self.prepare(each, folder, manifest["spirv"]["entry"]) for each in parts["passes"]]

    def make(self, resource: dict, folder: Path) -> wgpu.GPUBuffer:
        """A buffer, filled from its file if it has one."""
        assert resource["kind"] == "buffer", "export with --portable --storage buffer"
        usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_DST | wgpu.BufferUsage.COPY_SRC
        made = self.device.create_buffer(size=-(-resource["bytes"] // 4) * 4, usage=usage)
        if "file" in resource:
            self.device.queue.write_buffer(made, 0, (folder / resource["file"]).read_bytes())
        return made

    def prepare(self, each: dict, folder: Path, entry: str) -> tuple:
        """The pipeline, bind group and work groups of a pass. Its uniforms are constants of the SPIR-V."""
        module = self.device.create_shader_module(code=(folder / each["spirv"]).read_bytes())
        pipeline = self.device.create_compute_pipeline(layout="auto", compute={"module": module, "entry_point": entry})
        bound = [
            {"binding": one["binding"], "resource": {"buffer": self.made[one["resource"]]}} for one in each["bindings"]
        ]
        group = self.device.create_bind_group(layout=pipeline.get_bind_group_layout(0), entries=bound)
        return pipeline, group, each["groups"]

    def run(self) -> None:
        """Transform `made["source"]` into `made["target"]`; wgpu itself sets the barriers."""
        encoder = self.device.create_command_encoder()
        for pipeline, group, groups in self.passes:
            compute = encoder.begin_compute_pass()
            compute.set_pipeline(pipeline)
            compute.set_bind_group(0, group)
            compute.dispatch_workgroups(*groups)
            compute.end()
        self.device.queue.submit([encoder.finish()])


if __name__ == "__main__":
    try:
        adapter = wgpu.gpu.request_adapter_sync()
        # What WebGPU promises is less than kernels may need: ask for what the device has.
        limits = {name: value for name, value in adapter.limits.items() if name.startswith("max-compute-")}
        exported = Exported(adapter.request_device_sync(required_limits=limits), Path(sys.argv[1]), sys.argv[2])
        values, source = np.ascontiguousarray(np.load(sys.argv[3])), exported.made["source"]
        assert (values.real.dtype, values.nbytes) == (np.float32, source.size), "the .npy file suits no such source"
        exported.device.queue.write_buffer(source, 0, values)
        exported.run()
        np.save(sys.argv[4], np.frombuffer(exported.device.queue.read_buffer(exported.made["target"]), np.float32))
    except (AssertionError, LookupError, OSError, ValueError) as error:
        sys.exit(f"Name an export, a direction, .npy files to read and write: {type(error).__name__} {error}.")
