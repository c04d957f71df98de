// Points of a patch of the mesh on the still sea.
// Defines: CELLS, grid cells along a patch's side (even).

uniform vec3 eye;            // m
uniform float reach;         // a patch of side s is used within reach * s of the eye

float distance_to_calm(vec2 point) {
    return length(vec3(point.x - eye.x, eye.y, point.y - eye.z));
}

// x and z of a corner of a cell, and the distance to the next corner, m.
// `corner` is 0 to 1 within the patch; `place` is x, z of the patch's first corner in metres, its side, its level.
vec3 point_and_spacing(vec2 corner, vec4 place) {
    // Corners are counted in cells from the origin, in whole numbers: sums of metres would be rounded otherwise in the patch beside,
    // and the sky would show through the gap at single samples.
    float cell = place.z / float(CELLS);
    vec2 count = round(place.xy / place.z) * float(CELLS) + round(corner * float(CELLS));
    // Towards the far end of its range a patch changes gradually into the coarser grid of the next level, so that levels meet
    // without a gap and no change is seen (Strugar, "Continuous Distance-Dependent Level of Detail", JGT 2009).
    float morph = smoothstep(0.86, 0.98, distance_to_calm(count * cell) / (reach * place.z));
    vec2 odd = mod(count, 2.0);
    return vec3((count - odd * morph) * cell, cell * (1.0 + morph));
}
