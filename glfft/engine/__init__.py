"""A request made to run: passes compiled, their images and scratch, their order and their barriers."""
