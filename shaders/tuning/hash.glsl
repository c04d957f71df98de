// Mixes the bits of a number: Jarzynski and Olano, Hash Functions for GPU Rendering, 2020 (PCG).

uint hash(uint number) {
    uint state = number * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}
