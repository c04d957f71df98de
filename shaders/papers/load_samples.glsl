// Samples of a width, by the function sample_at that comes before.

value load(ivec3 at) {
    return sample_at(at.y * COLUMNS + at.x);
}
