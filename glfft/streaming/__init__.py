"""Blocks of numbers in a stream: uploaded, transformed and downloaded, several at a time.

`Stream` has the ring of buffers and fences. `file_samples`, `wav_samples` and `microphone` yield samples, and
`regroup` makes blocks of one length from any arrays.
"""

from glfft.streaming.sources import Sound, file_samples, microphone, regroup, wav_samples
from glfft.streaming.stream import Stream

__all__ = ["Sound", "Stream", "file_samples", "microphone", "regroup", "wav_samples"]
