// Which place of the still sea a sample of the picture shows; the light there is shading.comp's work.
// Defines: SLIVERS, 1 for what llvmpipe needs, see below.
// Output: x and z, m.

// Each sample has its own place. Centroids would lie elsewhere on each device, and so would the edges of waves.
sample in vec2 still;
#if SLIVERS
// llvmpipe divides what it interpolates to a sample by the perspective at the pixel's centre; what was 1 tells by how much.
sample in float unit;
// It interpolates so inexactly on triangles seen edge on that places come out kilometres away.
flat in vec3 bounds;
#endif
out vec2 place;

void main() {
#if SLIVERS
    place = clamp(still / unit, bounds.xy - bounds.z, bounds.xy + bounds.z);
#else
    place = still;
#endif
}
