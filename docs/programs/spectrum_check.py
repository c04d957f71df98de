from PIL import Image

from glfft.commands.cli import main

Image.effect_noise((100, 60), 80).save("photo.jpg")
assert main(["spectrum", "photo.jpg", "--save-data", "photo.npz"]) == 0
