// A picture that goes on without a jump; see extended_picture.glsl.

#include "convolution/extended_picture.glsl"

value load(ivec3 at) {
    return extended_picture(at.xy);
}
