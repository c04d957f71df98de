// The sea curves down with the distance from the eye.

const float PLANET_RADIUS = 6360e3;  // m, as in water.py
