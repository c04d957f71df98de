"""WirelessHD's OFDM symbols sent, and received on the GPU (Hinitt and Kocak, GPU-Based FFT Computation for
Multi-Gigabit WirelessHD Baseband Processing, 2010): source, channel and receiver.
"""
