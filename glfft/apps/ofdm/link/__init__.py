"""WirelessHD's OFDM symbols sent, and received on the GPU (Hinitt and Kocak, 2010): source, channel and receiver.

The subcarriers are those of table 1 of GPU-Based FFT Computation for Multi-Gigabit WirelessHD Baseband Processing.
Where the pilots lie is not in the paper, nor is what they carry: `numbers` says what is done here.
"""
