// The plain load: what the source holds.

value load(ivec3 at) {
    return read_source(at);
}
