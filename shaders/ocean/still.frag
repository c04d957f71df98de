// Which place of the still sea a sample of the picture shows; the light there is shading.comp's work.
// Defines: SLIVERS, 1 to keep the place within its triangle, see below.
// Output: x and z, m.

// At the edge of a triangle a sample's pixel may have its centre outside, which on a steep wave would be a place far away.
centroid in vec2 still;
#if SLIVERS
// llvmpipe interpolates so inexactly on triangles seen edge on that places come out kilometres away.
flat in vec3 bounds;
#endif
out vec2 place;

void main() {
#if SLIVERS
    place = clamp(still, bounds.xy - bounds.z, bounds.xy + bounds.z);
#else
    place = still;
#endif
}
