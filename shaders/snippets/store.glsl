// The plain store: the result goes to the target.

void store(ivec3 at, value result) {
    write_target(at, result);
}
