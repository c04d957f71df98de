// Makes up to three mipmaps of the surface texture, and the products of the slopes with as many.
//
// In a coarser mipmap, the mean of a product minus the product of the means is the variance of the slopes inside a texel.
//
// Defines: LEVELS, how many mipmaps; TEXTURE_UNIT, IMAGE_UNIT_0 and so on; and those of sea/mipmaps.glsl
// Inputs:  surface     (height, dx, slope_x, slope_z), level 0
// Outputs: surface1 .. surface3     its levels 1 to 3
//          products0 .. products3   (slope_x², slope_z², slope_x slope_z, 0), levels 0 to 3

#include "sea/mipmaps.glsl"

layout(binding = TEXTURE_UNIT) uniform sampler2DArray surface;
layout(binding = IMAGE_UNIT_0) writeonly uniform image2DArray surface1;
layout(binding = IMAGE_UNIT_1) writeonly uniform image2DArray surface2;
layout(binding = IMAGE_UNIT_2) writeonly uniform image2DArray surface3;
layout(binding = IMAGE_UNIT_3) writeonly uniform image2DArray products0;
layout(binding = IMAGE_UNIT_4) writeonly uniform image2DArray products1;
layout(binding = IMAGE_UNIT_5) writeonly uniform image2DArray products2;
layout(binding = IMAGE_UNIT_6) writeonly uniform image2DArray products3;

void main() {
    ivec3 coarse = coarse_texel(1);
    vec4 fields = vec4(0.0);
    vec4 products = vec4(0.0);
    for (int i = 0; i < 4 && makes_texel(1); ++i) {
        ivec3 fine = ivec3(2 * coarse.xy + ivec2(i & 1, i >> 1), coarse.z);
        vec4 fine_fields = texelFetch(surface, fine, 0);
        vec4 product = vec4(fine_fields.zw * fine_fields.zw, fine_fields.z * fine_fields.w, 0.0);
        imageStore(products0, fine, product);
        fields += 0.25 * fine_fields;
        products += 0.25 * product;
    }
    if (makes_texel(1)) {
        imageStore(surface1, coarse, fields);
        imageStore(products1, coarse, products);
    }

#if LEVELS > 1
    fields = coarser_mean(fields, 2);
    products = coarser_mean(products, 2);
    if (makes_texel(2)) {
        imageStore(surface2, coarse_texel(2), fields);
        imageStore(products2, coarse_texel(2), products);
    }
#endif

#if LEVELS > 2
    fields = coarser_mean(fields, 3);
    products = coarser_mean(products, 3);
    if (makes_texel(3)) {
        imageStore(surface3, coarse_texel(3), fields);
        imageStore(products3, coarse_texel(3), products);
    }
#endif
}
