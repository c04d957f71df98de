import wave

import numpy as np

import glfft

ctx = glfft.open_context()
seconds = np.arange(66150) / 44100
sweep = np.sin(2 * np.pi * (500 * seconds + 3000 * seconds**2))
with wave.open("song.wav", "wb") as file:
    file.setnchannels(1)
    file.setsampwidth(2)
    file.setframerate(44100)
    file.writeframes((sweep * 30000).astype("<i2").tobytes())
