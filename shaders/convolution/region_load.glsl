// A picture within a larger transform.
//
// Inputs:  picture             any texture that is read as floats, with the picture's texels
// Defines: PICTURE_FIRST       column and row of the picture at the transform's first point; negative with boundaries 0 and 3
//                              only, as a remainder of a negative number is undefined
//          PICTURE_WINDOW      how many points of the transform, from the first on, have a value; the others are 0
//          PICTURE_SIZE        columns and rows of the picture
//          PICTURE_BOUNDARY    what lies outside the picture: 0 zeros, 1 the picture again, 2 its mirror image (the texels at
//                              the edge come twice), 3 the texel at the edge
//          CHANNELS            of the picture: 1, 2, or 4 as two complex numbers
//          LAYERED             1: the picture is a texture array, with a layer for each of the plan's

#if LAYERED
uniform sampler2DArray picture;
#define place_in_picture(place, at) ivec3(place, at.z)
#else
uniform sampler2D picture;
#define place_in_picture(place, at) place
#endif

value load(ivec3 at) {
    ivec2 place = at.xy + PICTURE_FIRST;
    bool outside = any(greaterThanEqual(at.xy, PICTURE_WINDOW));
#if PICTURE_BOUNDARY == 0
    outside = outside || any(lessThan(place, ivec2(0))) || any(greaterThanEqual(place, PICTURE_SIZE));
#elif PICTURE_BOUNDARY == 1
    place = place % PICTURE_SIZE;
#elif PICTURE_BOUNDARY == 2
    place = place % (2 * PICTURE_SIZE);
    place = min(place, 2 * PICTURE_SIZE - 1 - place);
#endif
    vec4 texel = texelFetch(picture, place_in_picture(clamp(place, ivec2(0), PICTURE_SIZE - 1), at), 0);
    if (outside) return value(0.0);
#if CHANNELS == 1
    return value(texel.r, 0.0);
#elif CHANNELS == 2
    return value(texel.rg);
#else
    return value(texel);
#endif
}
