"""`glfft bench`: how long a transform takes, how right it is, and how other libraries do in the same run."""
