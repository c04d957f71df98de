"""A waterfall of the channels of a wideband signal: `glfft demo channelizer`."""
