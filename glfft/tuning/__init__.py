"""Finding the fastest kernels of a plan by measuring them: on request, or in the background of a running program."""
