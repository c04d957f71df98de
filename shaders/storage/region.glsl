// The points of a transform that an image holds, where it does not hold them all.
//
// Defines, with SOURCE_REGION and with TARGET_REGION:
//   SOURCE_FIRST, SOURCE_SHAPE    (column, row, plane) of its first point, and how many there are
//   SOURCE_ENDS_X, _Y, _Z         1: points outside are asked for along that axis
//   SOURCE_BOUNDARY               what is there: 0 zeros; 1 the region again; 2 its mirror image, with the points at the edge
//                                 twice; 3 the point at the edge
//   SOURCE_SHIFT                  minus SOURCE_FIRST, made positive by whole periods of what repeats
//   TARGET_FIRST, ...             the same of what is written, which has zeros outside: nothing is stored there
//   DEPTH, LAYERS                 of volumes: a place counts DEPTH planes a layer

#if SOURCE_REGION || TARGET_REGION
// The plane of a place, without its layer.
int glfft_plane(ivec3 at) {
#if defined(DEPTH) && LAYERS > 1
    return at.z % DEPTH;
#else
    return at.z;
#endif
}

bool glfft_is_below(int place, int count) {
    return uint(place) < uint(count);
}
#endif

#if SOURCE_REGION
bool glfft_in_source(ivec3 at) {
    bool inside = true;
#if SOURCE_BOUNDARY == 0 && SOURCE_ENDS_X
    inside = inside && glfft_is_below(at.x - SOURCE_FIRST.x, SOURCE_SHAPE.x);
#endif
#if SOURCE_BOUNDARY == 0 && SOURCE_ENDS_Y
    inside = inside && glfft_is_below(at.y - SOURCE_FIRST.y, SOURCE_SHAPE.y);
#endif
#if SOURCE_BOUNDARY == 0 && SOURCE_ENDS_Z
    inside = inside && glfft_is_below(glfft_plane(at) - SOURCE_FIRST.z, SOURCE_SHAPE.z);
#endif
    return inside;
}

#if SOURCE_BOUNDARY > 0
// The place that has what is read at one outside, along an axis.
int glfft_within(int place, int first, int shift, int count) {
#if SOURCE_BOUNDARY == 1
    return (place + shift) % count;
#elif SOURCE_BOUNDARY == 2
    place = (place + shift) % (2 * count);
    return min(place, 2 * count - 1 - place);
#else
    return clamp(place - first, 0, count - 1);
#endif
}
#endif

// Where the image holds a point.
ivec3 glfft_source_place(ivec3 at) {
    ivec3 place = at - SOURCE_FIRST;
#if SOURCE_BOUNDARY > 0 && SOURCE_ENDS_X
    place.x = glfft_within(at.x, SOURCE_FIRST.x, SOURCE_SHIFT.x, SOURCE_SHAPE.x);
#endif
#if SOURCE_BOUNDARY > 0 && SOURCE_ENDS_Y
    place.y = glfft_within(at.y, SOURCE_FIRST.y, SOURCE_SHIFT.y, SOURCE_SHAPE.y);
#endif
#if SOURCE_BOUNDARY > 0 && SOURCE_ENDS_Z
    int plane = glfft_plane(at);
    place.z = at.z - plane + glfft_within(plane, SOURCE_FIRST.z, SOURCE_SHIFT.z, SOURCE_SHAPE.z);
#endif
    return place;
}
#endif

#if TARGET_REGION
bool glfft_in_target(ivec3 at) {
    bool inside = true;
#if TARGET_ENDS_X
    inside = inside && glfft_is_below(at.x - TARGET_FIRST.x, TARGET_SHAPE.x);
#endif
#if TARGET_ENDS_Y
    inside = inside && glfft_is_below(at.y - TARGET_FIRST.y, TARGET_SHAPE.y);
#endif
#if TARGET_ENDS_Z
    inside = inside && glfft_is_below(glfft_plane(at) - TARGET_FIRST.z, TARGET_SHAPE.z);
#endif
    return inside;
}
#endif
