"""The picture of a radio link at work: `glfft demo ofdm`."""
