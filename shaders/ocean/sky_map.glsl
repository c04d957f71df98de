// The rows of the sky's textures: elevations from 0 to pi/2, more of them near the horizon, where colours change fastest
// and which the sea reflects most.

const float QUARTER_TURN = 1.57079632679490;

float row_to_elevation(float row) {
    return QUARTER_TURN * row * row;
}

float elevation_to_row(float elevation) {
    return sqrt(clamp(elevation / QUARTER_TURN, 0.0, 1.0));
}
