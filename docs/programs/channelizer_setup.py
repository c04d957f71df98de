import numpy as np

import glfft

ctx = glfft.open_context()
