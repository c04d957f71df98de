// The colour of the sea: reflected sky and sun, light from inside the water, foam, and the haze in front of it.
// Slopes are a Gaussian distribution around the normal of the pixel: waves smaller than the pixel are roughness.
// The distribution, its masking and the mean Fresnel term follow E. Bruneton, F. Neyret, N. Holzschuch, "Real-time
// Realistic Ocean Lighting using Seamless Transitions from Geometry to BRDF", Eurographics 2010.
// Defines: TILES; TAPS, in how many places along what a pixel covers slopes are read; DETAIL_BIAS, added to the mipmap level of what
// is read in one; RIPPLE_LEVEL; COARSE_RIPPLES and FINE_RIPPLES, how many times smaller than the tile its two readings for
// ripples are; STEEPEST of the foam's pattern; SAND, BELOW and ALOFT, 0 to leave out the bottom, the surface seen from below, and
// clouds seen from above; PLAIN, 1 to read less where it is hardly seen. All are for llvmpipe, which runs both sides of every branch.

#include "ocean/haze.glsl"
#include "ocean/low_clouds.glsl"
#include "ocean/bottom.glsl"
#include "ocean/planet.glsl"
#include "ocean/shafts.glsl"
#include "ocean/slopes.glsl"

uniform sampler2DArray surface;         // height, dx, slope_x, slope_z
uniform sampler2DArray slope_products;  // slope_x^2, slope_z^2, slope_x * slope_z
uniform sampler2DArray foam_cover;

uniform float choppiness;
uniform vec3 unresolved;            // covariance of the slopes that the tiles' grids cannot hold
uniform float ripple_share;         // of the variance in `unresolved` that ripples show close by
uniform vec4 ripple_origin;         // of the two readings for ripples, in tiles of theirs
uniform float ripple_gain;          // factor on the tile's short waves that gives the ripples this variance
uniform float significant_height;   // m
uniform vec3 from_sand;             // of the light entering the sea, what comes back up from the bottom
uniform vec2 downwind;              // unit vector
uniform float gust_drift;           // how far the wind has carried the gusts, m

const float PI = 3.14159265358979;
// The share of the light that is left after its way through a crest, some 4 m.
const vec3 CREST_TINT = exp(-4.0 * EXTINCTION);
const float BUBBLES_SCATTER = 0.15;  // of the light, backwards in a metre of the bubbles under fresh foam
const float BUBBLES_DEPTH = 1.6;    // m, down to which they are
const float BUBBLES_REACH = 2.0;    // m
const float COVER_TEXEL = 2.0;      // m, of foam's cover, twice which is too coarse
const float REPEATED = 60.0;         // pixels along a tile
const float MOST_OF_LEVEL = 1.5;    // of what a pixel covers of a level sea
const float SUN_BLUR = 0.01;         // rad
const float SUN_DISC = 0.00467;      // its radius, rad
const float HEAPS = 450.0;           // from the base of low clouds to their highest tops, m
const int HEAP_STEPS = 8;            // at which a ray looks for a heap
const float HEAP_SHIFT = 500.0;      // how far a ray goes on at most from the highest tops to the base, m

// The same for all places of a pixel, see sun_in_shafts.
float in_shafts = 1.0;

#include "ocean/foam.glsl"

// What a pixel covers of the still sea.
struct Footprint {
    vec2 longer;       // axis of the ellipse, m
    float filtered;    // size of the texels to read, m
    float detail;      // of those to read in TAPS places, m
    float across;      // root of its area, m
};

struct Sea {
    vec3 moved;        // from its place on the still sea, m
    vec2 slope;
    vec3 dxx_dzz_dxz;
    float foam;
    float bubbles;     // the foam around, with the water in between
    vec3 covariance;   // of the slopes inside the pixel: xx, zz, xz
};

// Mean products minus the products of means.
vec3 covariance_inside(vec2 slope, vec3 products) {
    vec3 inside = products - vec3(slope * slope, slope.x * slope.y);
    inside.xy = max(inside.xy, vec2(0.0));
    float most = 0.95 * sqrt(inside.x * inside.y);
    inside.z = clamp(inside.z, -most, most);
    return inside;
}

// `right` and `above` are how far a place moves from a pixel to the next. On a wave seen at a slant both point nearly the same
// way; what they cover is a narrow ellipse.
Footprint footprint_of(vec2 right, vec2 above) {
    // The eigenvalues of the matrix right right^T + above above^T are the squares of the axes.
    vec3 m = vec3(right * right + above * above, right.x * right.y + above.x * above.y);
    float mean = 0.5 * (m.x + m.y);
    float apart = length(vec2(0.5 * (m.x - m.y), m.z));
    vec2 along = m.x > m.y ? vec2(0.5 * (m.x - m.y) + apart, m.z) : vec2(m.z, 0.5 * (m.y - m.x) + apart);
    // A circle has no longer axis, and no direction may come of a division by 0.
    along = apart > 1e-6 * mean ? normalize(along) : vec2(1.0, 0.0);
    float longer = sqrt(mean + apart);
    float shorter = abs(right.x * above.y - right.y * above.x) / max(1e-12, longer);
    // An isotropic filter has the longer side both ways.
    float filtered = max(1e-6, longer);
#if TAPS > 1
    float detail = max(1e-6, max(shorter, longer / float(TAPS)));
#else
    float detail = filtered * exp2(DETAIL_BIAS);
#endif
    return Footprint(longer * along, filtered, detail, max(1e-6, sqrt(longer * shorter)));
}

// The same in the axes of the second reading.
Footprint turned_back(Footprint footprint) {
    footprint.longer = rotated_back(footprint.longer);
    return footprint;
}

// The mean over what a pixel covers, of what decides its light: waves between two readings of it would make rows of light and
// dark teeth. Anisotropic filters of GPUs read too little for that, and each one something else. `level` is the mipmap level
// of texels of the size `detail`.
vec4 read_mean(sampler2DArray from, vec3 where, Footprint footprint, float level, float tiles) {
    vec2 part = footprint.longer * (tiles / float(TAPS));
    vec4 sum = vec4(0.0);
    for (int tap = 0; tap < TAPS; ++tap) {
        sum += textureLod(from, where + vec3(part * (float(tap) + 0.5 - 0.5 * float(TAPS)), 0.0), level);
    }
    return sum / float(TAPS);
}

Sea sea_at(vec2 point, Footprint footprint) {
    Sea sea = Sea(vec3(0.0), vec2(0.0), vec3(0.0), 0.0, 0.0, vec3(0.0));
    Footprint turned = turned_back(footprint);
    float shorter = footprint.across * footprint.across / footprint.filtered;
    for (int layer = 0; layer < TILES; ++layer) {
        vec2 weights = reading_weights(point, layer);
        vec3 first = first_reading(point, layer);
        vec3 second = second_reading(point, layer);
        // From kilometres up, where the longest waves come again and again within a few pixels, they become roughness sooner.
        float sooner = layer == 0 ? 2.0 * max(0.0, log2(REPEATED * shorter / tile[0])) : 0.0;
        float tiles = exp2(sooner) / tile[layer];
        float level = max(0.0, log2(footprint.filtered / spacing[layer]) + DETAIL_BIAS) + sooner;
        float fine = max(0.0, log2(footprint.detail / spacing[layer])) + sooner;
        vec4 surface1 = read_mean(surface, first, footprint, fine, tiles);
        vec4 surface2 = read_mean(surface, second, turned, fine, tiles);
#if PLAIN
        // Short waves without it are a little rounder.
        vec4 stretch1 = layer == 0 ? textureLod(stretch, first, level) : vec4(0.0);
        vec4 stretch2 = layer == 0 ? textureLod(stretch, second, level) : vec4(0.0);
#else
        vec4 stretch1 = textureLod(stretch, first, level);
        vec4 stretch2 = textureLod(stretch, second, level);
#endif
        vec3 products1 = read_mean(slope_products, first, footprint, fine, tiles).xyz;
        vec3 products2 = read_mean(slope_products, second, turned, fine, tiles).xyz;
        vec2 level_move2 = rotated(vec2(surface2.y, stretch2.x));
        sea.moved += weights.x * vec3(surface1.y, surface1.x, stretch1.x)
            + weights.y * vec3(level_move2.x, surface2.x, level_move2.y);
        sea.slope += weights.x * surface1.zw + weights.y * rotated(surface2.zw);
        sea.dxx_dzz_dxz += weights.x * stretch1.zwy + weights.y * rotated_matrix(stretch2.zwy);
        sea.covariance += weights.x * weights.x * covariance_inside(surface1.zw, products1)
            + weights.y * weights.y * rotated_matrix(covariance_inside(surface2.zw, products2));
        if (layer == 0) {
            vec2 shares = smoothstep(0.2, 0.8, weights) * foam_weights(point);
            // Texels of metres hold the shortest waves at one place each. Where much wind draws foam out, it would be in round tufts.
            float smoothed = max(level, windrows * clamp(log2(spacing[0] / COVER_TEXEL), 0.0, 1.0));
            vec2 foams = shares * vec2(textureLod(foam_cover, first, smoothed).r, textureLod(foam_cover, second, smoothed).r);
            sea.foam = max(foams.x, foams.y);
#if PLAIN
            sea.bubbles = sea.foam;
#else
            float wider = max(smoothed + 0.7, log2(BUBBLES_REACH / spacing[0]));
            vec2 around = shares * vec2(textureLod(foam_cover, first, wider).r, textureLod(foam_cover, second, wider).r);
            sea.bubbles = max(around.x, around.y);
#endif
        }
    }
    return sea;
}

// Slopes of waves too short for the tiles' grids, read from the finest tile itself at a smaller scale: wind waves have about the
// same slopes in each decade of length. The waves of the coarse mipmap are subtracted, so that none is drawn twice.
vec2 ripple_slopes(vec2 point, Footprint footprint, float scale, vec2 origin) {
    float tiles = scale / tile[FINEST];
    vec3 there = vec3(point * tiles - origin, FINEST);
    float level = log2(footprint.filtered * scale / spacing[FINEST]);
    float fine = max(0.0, log2(footprint.detail * scale / spacing[FINEST]));
    return read_mean(surface, there, footprint, fine, tiles).zw
        - textureLod(surface, there, max(RIPPLE_LEVEL, level)).zw;
}

// The share of the ripples' variance that a pixel still shows: each mipmap removes one of RIPPLE_LEVEL octaves, all alike.
float ripples_shown(float scale, float filtered) {
    return clamp(1.0 - log2(filtered * scale / spacing[FINEST]) / RIPPLE_LEVEL, 0.0, 1.0);
}

// Gusts roughen the sea in patches of some hundred metres, 1 on average: from above they are seen as darker and lighter water,
// and they hide the repetition of the tiles.
float gusts(vec2 point) {
    vec2 p = mat2(downwind.x, -downwind.y, downwind.y, downwind.x) * (point - downwind * gust_drift);
    p *= vec2(0.0021, 0.0048);
    float wide = value_noise(0.31 * p + 7.3, 0);
    return 1.0 + 0.7 * (value_noise(p + 2.0 * wide, 0) - 0.5) + 0.4 * (wide - 0.5) + 0.4 * (value_noise(2.7 * p.yx - 3.0 * wide, 0) - 0.5);
}

// Three deviates of variance 1 that a place has of its own, apart from those of other places a pixel away.
vec3 own_deviates(vec2 still, float pixel) {
    float octave = max(-9.0, log2(pixel));   // finer ones are not used, and their cells would be too many to number
    float whole = floor(octave);
    float turn = 0.5 * PI * (octave - whole);
    vec3 finer = smooth_deviates(still * exp2(-whole));
    vec3 coarser = smooth_deviates(still * exp2(-whole - 1.0));
    return cos(turn) * finer + sin(turn) * coarser;
}

// The density of the facets that mirror the sun. A pixel holds few, and no two pixels the same ones: glitter is made of sparks. So a
// part of the variance is a slope of the pixel's own, which waves below turn to the sun and away; and a few places are flat and
// mirror much of the sun, most are curved and mirror little. The mean is the same. `blurred` is a covariance that all facets have in
// common, and none of which is the pixel's own.
float sparkling_density(vec2 from_mean, vec3 covariance, vec3 blurred, vec2 still, float pixel) {
    // Over metres, so many facets mirror the sun that nearly their mean is left; no water is rough over millimetres.
    float size = log2(pixel);
    float few = smoothstep(-8.0, -5.5, size) * (1.0 - smoothstep(-4.0, 3.0, size));
    float own = 0.7 * few;
    // A coarser picture that is enlarged has smaller sparks, as its pixels would be seen.
    vec3 deviates = own_deviates(still, TAPS > 1 ? pixel : 0.5 * pixel);
    // A lognormal distribution of mean 1; the variance of its logarithm.
    float logarithms = 2.2 * few;
    float flatness = exp(sqrt(logarithms) * deviates.z - 0.5 * logarithms);
    return flatness * slope_density(from_mean - sqrt(own) * correlated(deviates.xy, covariance), (1.0 - own) * covariance + blurred);
}

// Light from the bottom seen through the surface, see light_of_sand.
float bottom_light(vec2 still, vec2 slope, vec3 view, float sunlit, float pixel) {
    vec2 refracted = view.xz / sqrt(max(0.05, REFRACTIVE_INDEX * REFRACTIVE_INDEX - dot(view.xz, view.xz)));
    return light_of_sand(still + water_depth * (refracted + 0.25 * slope), sunlit, pixel);
}

// Radiance of the sun through rough water from below, per unit of its irradiance: the density of the facets that refract it to
// the eye, and what they let through (B. Walter, S. Marschner, H. Li, K. Torrance, "Microfacet Models for Refraction through
// Rough Surfaces", EGSR 2007, equation 21). A low sun is drawn out, since facets turn light the more the more slanted it is.
float sun_through(vec3 up, vec3 view, vec3 covariance) {
    vec3 bent = REFRACTIVE_INDEX * view - sun_direction;   // at least REFRACTIVE_INDEX - 1 long
    vec3 facet = normalize(bent);
    float from_water = dot(view, facet);
    float from_air = dot(sun_direction, facet);
    if (facet.y < 0.05 || from_water <= 0.0 || from_air <= 0.0) return 0.0;
    // The disk and the lens spread the sun a little; facets turn its light by as many times their tilt as `bent` is long.
    float blur = SUN_BLUR / length(bent);
    float more = blur * (2.0 * sqrt(0.5 * (covariance.x + covariance.y)) + blur);
    float density = slope_density(up.xz / up.y - facet.xz / facet.y, covariance + vec3(more, more, 0.0));
    float passed = 1.0 - reflectance_from_below(from_water);
    float squares = REFRACTIVE_INDEX * REFRACTIVE_INDEX / (dot(bent, bent) * pow(facet.y, 4.0));
    return density * passed * squares * from_water * from_air / max(0.1, dot(view, up));
}

// The surface from below, and the water in front of it: the sky within Snell's window, beyond it water and bottom mirrored, and foam.
vec3 surface_from_below(vec3 place, vec3 up, vec3 view, vec3 covariance, Foam foam, float away, float depth, float pixel) {
    vec3 sun = (1.0 - low_clouds) * sun_colour * max(0.0, sun_direction.y);
    vec3 entering = sun + sky_irradiance;
    float cosine = max(0.0, dot(view, up));
    // Facets too slanted for Snell's window mirror everything. The mean over the slopes within the pixel is the share of the others
    // times what passes a little inside the edge, within 0.04 of the integral.
    float sine_squared = max(1e-4, 1.0 - cosine * cosine);
    float deviation = sqrt(sine_squared * max(1e-8, 0.5 * (covariance.x + covariance.y)));
    float inside = min(1.0, max(cosine, CRITICAL_COSINE + 0.6 * deviation));
    float mirrored = 1.0 - normal_below((cosine - CRITICAL_COSINE) / deviation) * (1.0 - reflectance_from_below(inside));
#if SAND
    // A mirror turns light by twice its own slope.
    float wider = pixel / max(0.1, away) + 2.0 * sqrt(0.5 * (covariance.x + covariance.y));
    vec3 mirror = reflect(view, up);
    vec3 light = mirrored * light_under_water(place, 0.0, mirror, pixel, wider, entering, sun, sun_direction, 1.0);
#else
    vec3 light = mirrored * water_light(reflect(view, up), 0.0, entering, sun, sun_direction, 1.0);
#endif
    vec3 facet = normalize(up + (inside - cosine) / sine_squared * (view - cosine * up));
    vec3 out_of_water = refract(view, -facet, REFRACTIVE_INDEX);
    if (out_of_water.y <= 0.0) out_of_water = normalize(vec3(view.x, 0.05, view.z));
    if (mirrored < 1.0) {
        float rough = sqrt(0.5 * (covariance.x + covariance.y)) * (REFRACTIVE_INDEX - 1.0) + 0.01;
        // Refraction draws the whole sky together into the window: radiance per squared index stays (Mobley, "Light and Water", 1994).
        light += (1.0 - mirrored) * (REFRACTIVE_INDEX * REFRACTIVE_INDEX) * reflected_sky(out_of_water, 2.0 * rough);
    }
    light += (1.0 - low_clouds) * sun_colour * sun_through(up, view, covariance);
    // Bubbles absorb hardly any light: foam passes on what it does not send back up (P. Koepke, 1984), all ways alike, and sends
    // back down what does not pass from below, of which 1 / n^2 as large a share does (see LET_IN). It is a veil before the sky, and
    // bright before the mirrored deep.
    float passed = 1.0 - mix(FILM_ALBEDO.g, FOAM_ALBEDO.g, foam.thickness);
    vec3 from_water = LET_IN * entering * water_reflectance / (1.0 - HELD * water_reflectance);
    vec3 below_foam = passed * entering + (1.0 - passed / (REFRACTIVE_INDEX * REFRACTIVE_INDEX)) * from_water;
    light = mix(light, below_foam / PI, foam.cover);
    return mix(water_light(view, depth, entering, sun, sun_direction, in_shafts), light, exp(-EXTINCTION * away));
}

#if ALOFT
// The sea behind low clouds, for an eye above them: they hide some of it and send light of sun and sky up. `of_level`, m, is what
// a pixel covers at most of a level sea.
vec3 through_clouds_below(vec3 sea, vec3 view, float of_level) {
    float higher = eye.y - CLOUD_HEIGHT;
    vec2 slant = view.xz / max(0.02, -view.y);
    // The eye is above all tops. At low angles they are seen as if lower, or far ones would be drawn out.
    float highest = min(min(HEAPS, 0.8 * higher), HEAP_SHIFT / max(1e-3, length(slant)));
    float pixel = of_level * sqrt(max(0.02, -view.y)) * higher / eye.y;
    // At some heights down to the base, how much a ray passes of what lies above the heaps' edge there: at their outlines it is little,
    // which are soft therefore. What it hides is seen where the ray is first inside, between the height before and this one.
    float kept = 1.0;
    float met = 0.0;
    float outside = 0.0;
    float ragged = ragged_clouds(eye.xz + slant * (higher - 0.5 * highest), pixel);
    for (int i = 0; i <= HEAP_STEPS && kept > 0.01; ++i) {
        float height = 1.0 - float(i) / float(HEAP_STEPS);
        float over = above_cloud_edge(smooth_clouds(eye.xz + slant * (higher - height * highest), pixel), ragged);
        float inside = heap_height(over) - height;
        float entered = min(1.0, height + max(0.0, inside) / (max(1e-3, inside) + outside) / float(HEAP_STEPS));
        float hidden = kept * (1.0 - exp(-CLOUD_EXTINCTION * cloud_thickness_of(max(0.0, over - heap_edge(height)))));
        met += hidden * entered;
        kept -= hidden;
        outside = max(0.0, -inside);
    }
    float below = higher - highest * met / max(1e-4, 1.0 - kept);
    // How steeply the heap rises towards the sun.
    float level_sun = length(sun_direction.xz);
    float reach = 90.0 + pixel;
    vec2 point = eye.xz + slant * below;
    vec2 beside = point + sun_direction.xz / max(1e-3, level_sun) * reach;
    float height = heap_height(above_cloud_edge(smooth_clouds(point, pixel), ragged_clouds(point, pixel)));
    float rise = HEAPS / reach * (heap_height(above_cloud_edge(smooth_clouds(beside, pixel), ragged_clouds(beside, pixel))) - height);
    float facing = (sun_direction.y - rise * level_sun) * inversesqrt(1.0 + rise * rise);
    // Thicker clouds send more back, as in two streams through a layer that absorbs nothing. Light goes back and forth within them, so
    // that sides away from the sun are not dark, and the sky lights what stands high.
    float thick = -log(max(1e-3, kept)) / CLOUD_EXTINCTION;
    float albedo = 0.25 + 0.6 * thick / (1.7 + thick);
    vec3 sun = sun_colour * (0.05 + 0.9 * max(0.0, mix(0.5, 0.2 + 0.8 * facing, 1.0 - exp(-2.0 * thick))));
    vec3 lit = (sun + sky_irradiance * (0.7 + 0.5 * height)) * (albedo / PI);
    return mix(sea, through_haze(lit, view, below / max(0.02, -view.y)), (1.0 - kept) * smoothstep(0.0, 120.0, higher));
}
#endif

// Radiance of the water towards the eye, relative to the sun outside the atmosphere.
// Inputs: its place on the still sea, m; how far that moves from a pixel to the next, and at most how far on a level sea; the
// direction from the eye; how deep the lens is under water there, m, negative above.
vec3 water_radiance(vec2 still, vec2 right, vec2 above, float of_level, vec3 view, float depth) {
    vec3 to_eye = -view;
    vec2 covered = abs(right) + abs(above);
    float pixel = max(covered.x, covered.y);
    Footprint footprint = footprint_of(right, above);
    float filtered = footprint.filtered;

    Sea sea = sea_at(still, footprint);
    float raised = sea.moved.y;
    vec2 level_way = still + choppiness * sea.moved.xz - eye.xz;
    float away = length(vec3(level_way, raised - eye.y - dot(level_way, level_way) / (2.0 * PLANET_RADIUS)));

    float jxx = 1.0 + choppiness * sea.dxx_dzz_dxz.x;
    float jzz = 1.0 + choppiness * sea.dxx_dzz_dxz.y;
    float jxz = choppiness * sea.dxx_dzz_dxz.z;
    float folding = jxx * jzz - jxz * jxz;
    // The exact normal of the displaced surface. Where it folds over there is foam; keep the normal upright there.
    vec3 normal = vec3(-(jzz * sea.slope.x - jxz * sea.slope.y), max(folding, 0.12),
        -(jxx * sea.slope.y - jxz * sea.slope.x));
    vec2 slope = -normal.xz / normal.y;
    slope *= min(1.0, 1.4 / max(1e-4, length(slope)));

    // Ripples are shown where pixels are smaller than they are. With distance their variance goes over to the roughness.
    vec2 view_level = to_eye.xz / max(1e-4, length(to_eye.xz));
    float gust = gusts(still);
    vec3 rough = gust * unresolved;
    float coarse_shown = ripples_shown(COARSE_RIPPLES, filtered);
    if (coarse_shown > 0.0 && ripple_share > 0.0) {
        vec2 coarse = ripple_slopes(still, footprint, COARSE_RIPPLES, ripple_origin.xy);
        vec2 fine = ripple_slopes(rotated_back(still), turned_back(footprint), FINE_RIPPLES, ripple_origin.zw);
        vec2 ripples = coarse + rotated(fine);
        float rippled = 0.5 * ripple_share * (coarse_shown + ripples_shown(FINE_RIPPLES, filtered));
        rough *= 1.0 - rippled;
        float heavier = sqrt(gust);
        // They are not in the mesh, which therefore hides none. At a low angle, only those that face the eye are visible.
        vec3 wave_up = normalize(vec3(-slope.x, 1.0, -slope.y));
        float variance = variance_along(rippled * gust * unresolved, view_level);
        slope += heavier * ripple_gain * ripples - visible_slope(dot(wave_up, to_eye), variance) * view_level;
    }

    vec3 covariance = sea.covariance + rough + vec3(1e-5, 1e-5, 0.0);

    // Waves draw foam together at their crests, where more of it breaks, and apart in their troughs; the factor is about 1 on average.
    // A pixel on a crest that turns away from the eye covers more than the crest: with its cover, or with larger patterns than those
    // around it, its edge would be a row of dots; and so would be a pattern that is not filtered by what it covers.
    float unturned = min(1.0, MOST_OF_LEVEL * of_level / filtered);
    float squeezed = 1.0 / clamp(folding, 0.5, 2.0);
    float gathered = clamp(sea.foam * gust * mix(1.0, 0.95 * squeezed * squeezed, unturned), 0.0, 1.0);
#if TAPS > 1
    Foam foam = foam_at(still, gathered, footprint.longer, footprint.detail, min(pixel, MOST_OF_LEVEL * of_level));
#else
    // One reading blurs across the view as along it: seen at a slant close by, threads would be lost that the picture can show.
    // Far off and at low angles, at crests that turn away from the eye, they would be dots.
    float sharp = 0.7 * max(footprint.across, filtered * exp2(DETAIL_BIAS));
    float from_aloft = smoothstep(0.15, 0.35, to_eye.y);
    float texels = mix(sharp, filtered, smoothstep(0.1, 0.33, filtered) * (1.0 - from_aloft));
    Foam foam = foam_at(still, gathered, vec2(0.0), texels, min(pixel, MOST_OF_LEVEL * of_level));
#endif

    // In a storm foam lies nearly everywhere, and most of it is old. Foam sends back 0.22 of the light in the mean, and
    // 0.55 where it has just been made (P. Koepke, "Effective reflectance of oceanic whitecaps", 1984): at crests,
    // which compress the surface.
    float aged = windrows * windrows * smoothstep(0.3, 1.2, mix(1.0, folding, unturned));
    float thin = mix(0.5, foam.thin, unturned);
    foam.cover *= 1.0 - aged * (0.2 + 0.45 * thin);
    foam.thickness *= 1.0 - aged * (0.2 + 0.7 * thin);

#if BELOW
    if (depth > 0.0) {
        vec3 up = normalize(vec3(-slope.x, 1.0, -slope.y));
        vec3 place = vec3(eye.x + level_way.x, raised, eye.z + level_way.y);
        return min(surface_from_below(place, up, view, covariance, foam, away, depth, pixel), vec3(60000.0));
    }
#endif
#if PLAIN
    float below_clouds = sunlight_below_smooth_clouds(still, sun_direction, footprint.across);
#else
    float below_clouds = sunlight_below_clouds(still, sun_direction, footprint.across);
#endif
    vec3 sunlight = sun_colour * sunlight_of_many(below_clouds, max(filtered, of_level));
    vec3 water = vec3(0.0);
    {
        vec3 up = normalize(vec3(-slope.x, 1.0, -slope.y));
        float view_variance = variance_along(covariance, view_level);
        float cosine = dot(up, to_eye);
        float fresnel = mean_fresnel(cosine, sqrt(view_variance));
        // At a low angle only slopes that face the eye are visible: the mean mirror is tilted towards it.
        vec2 seen_slope = slope - mirroring_slope(cosine, view_variance) * view_level;
        vec3 mirror = normalize(vec3(-seen_slope.x, 1.0, -seen_slope.y));
        float facing = max(0.02, dot(mirror, to_eye));
        vec3 reflected = reflect(-to_eye, mirror);
        // The angle that reflections are spread over: four times the slope in azimuth, near the horizon half as much in elevation;
        // less at low angles, where slopes across the view matter little.
        float spread = 3.2 * sqrt(0.5 * (covariance.x + covariance.y)) * mix(0.45, 1.0, facing);
        vec3 sky = reflected_sky(reflected, spread);

        vec3 half_way = normalize(sun_direction + to_eye);
        vec2 half_slope = -half_way.xz / max(0.05, half_way.y);
        // The sun is a disc. Calm water mirrors it no narrower than it is, and no narrower than a pixel, which could miss it.
        vec2 aside = vec2(-view_level.y, view_level.x);
        float pixel_angle = abs(dot(right, aside)) / max(0.1, length(vec3(still.x - eye.x, eye.y, still.y - eye.z)));
        float apart = max(0.02, to_eye.y + sun_direction.y);
        float disc = (SUN_DISC * SUN_DISC / 4.0 + pixel_angle * pixel_angle / 6.0) / (apart * apart);
        float lacking = max(0.0, disc - variance_along(covariance, aside));
        vec3 blurred = lacking * vec3(aside * aside, aside.x * aside.y);
        float density = sparkling_density(half_slope - slope, covariance, blurred, still, footprint.across);
        float glitter = sun_reflection(density, covariance, half_way, to_eye, sun_direction, up);

        // Light that enters the water and comes back.
        vec3 entering = sunlight * max(0.0, sun_direction.y) + sky_irradiance;
        vec3 returned = water_reflectance;
#if SAND
        if (from_sand.g > 1e-3) {
            float sunlit = sunlight.g * max(0.0, sun_direction.y) / max(1e-9, entering.g);
            returned += from_sand * (bottom_light(still, slope, view, sunlit, pixel) - 1.0);
        }
#endif
        returned *= 0.9 + 0.35 * clamp(raised / significant_height, -1.0, 1.5);
        // Of what water takes in and scatters backwards, a third of the share scattered comes up (A. Morel, L. Prieur, "Analysis of
        // variations in ocean color", 1977; J. T. O. Kirk, 1984, for much scattering). Bubbles lie in the uppermost
        // metres (S. A. Thorpe, "On the clouds of bubbles formed by breaking wind-waves in deep water", 1982), through
        // which light goes down and up. So little water is not turquoise but grey-green, and pale with many bubbles.
        float backwards = BUBBLES_SCATTER * smoothstep(0.0, 0.8, sea.bubbles);
        vec3 lost = EXTINCTION + backwards;
        returned += 0.33 * backwards / lost * (1.0 - exp(-2.0 * BUBBLES_DEPTH * lost));
        vec3 upwelling = share_leaving(returned) * entering / PI;
        // Sunlight through the thin top of a wave that stands between the sun and the eye.
        // It is thin where it is high and where the surface is compressed, as at crests. Scattered once on 3 m, of the sun's irradiance
        // about 0.01 times the slope comes out before absorption in coastal water (T. J. Petzold, "Volume scattering functions for
        // selected ocean waters", 1972; sun 12 to 25 degrees high). Crests full of bubbles scatter as his harbour does, 8 times that.
        float crest = smoothstep(-0.1, 0.75, raised / significant_height) * (1.0 - smoothstep(0.55, 1.1, folding));
        float against = pow(max(0.0, dot(to_eye.xz, -sun_direction.xz)), 3.0);
        float steep = clamp(-dot(slope, view_level), 0.0, 1.0);
        vec3 through = CREST_TINT * sunlight * (0.08 * crest * against * steep * smoothstep(0.0, 0.2, sun_direction.y))
            + CREST_TINT * sky_irradiance * (0.012 * crest);
        water = fresnel * sky + sunlight * glitter + (1.0 - fresnel) * (upwelling + through);
    }

    vec2 foam_slope = slope + foam.relief;
    vec3 foam_colour = foam_light(foam, normalize(vec3(-foam_slope.x, 1.0, -foam_slope.y)), sunlight, raised / significant_height);
    vec3 sea_colour = mix(water, foam_colour, foam.cover);

    vec3 seen = through_haze(sea_colour, view, away);
#if ALOFT
    if (eye.y > CLOUD_HEIGHT && low_clouds > 0.0) seen = through_clouds_below(seen, view, of_level);
#endif
    return min(seen, vec3(60000.0));
}
