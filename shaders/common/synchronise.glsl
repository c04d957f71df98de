// What one invocation of a work group wrote to shared memory, the others can read afterwards.
// Call it in uniform control flow only.

void synchronise() {
    memoryBarrierShared();
    barrier();
}
