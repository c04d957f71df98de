// Foam at a pixel: how much of it is covered, how thick, and where its light comes from.
// Defines: STEEPEST of the foam's pattern; PLAIN, 1 to read it fewer times; TAPS, in how many places along what a pixel covers
// slopes are read
// Inputs: what whoever includes this has (downwind, sun_direction, sky_irradiance, low_clouds, PI, value_noise), and the two below.

uniform sampler2D foam_pattern;     // see foam_pattern.frag
uniform float windrows;             // how far the wind draws old foam out into streaks, 0 to 1

const vec3 FOAM_ALBEDO = vec3(0.80, 0.82, 0.83);
const vec3 FILM_ALBEDO = vec3(0.33, 0.43, 0.47);
const float FOAM_TILE = 5.3;        // m
const float BROADER_FOAM = 3.7;     // how many times larger its second reading is
const float BROADEST_FOAM = 14.3;   // and its third
const float FINER_FOAM = 5.3;       // how many times smaller its grains are
const float MOST_COVER = 0.88;      // even a breaking crest has holes in its foam
const float OLD_FOAM = 0.55;        // how opaque thin foam is, and when it has nearly decayed
const float OLDEST_FOAM = 0.35;
const float PATTERN_MEAN = 0.531;
const float PATTERN_VARIANCE = 0.082;
const float UNBLURRED = 3.0;        // level of the pattern up to which the soft edges of foam hide what it has lost
const float FEWEST_HOLES = 0.4;     // share of the fine pattern in fresh foam, seen from far off
const float COVERED_MEAN = 0.70;    // about, where foam is
const float ROWS_MEAN = 0.26;       // of the pattern's rows
const int FOAM_TAPS = min(TAPS, 4);
const float FOAM_HEIGHT = 0.09;     // m, from the pattern's 0 to 1
const float FOAM_FILM = 0.13;       // of the pattern's range, between bare water and foam
const vec2 WINDROWS_TILE = vec2(430.0, 97.0);    // m, along the wind and across it
const float WINDROWS_VARY = 2.7;    // how many times larger their second reading is

struct Foam {
    float cover;       // share of the pixel
    float thickness;   // from a film of bubbles, 0, to thick foam, 1
    float thin;        // how far it thins out as it ages, from 0 on the threads to 1 on the holes of its pattern
    vec2 relief;       // its own slopes
    float grains;      // factor on its light, about 1 on average
};

// About the variance that the pattern has lost in mipmap `level`, as far as it shows.
float variance_lost(float level) {
    return PATTERN_VARIANCE * smoothstep(UNBLURRED, 8.5, level);
}

// The value that about a share `cover` of the mixture of patterns in foam_at is above.
float foam_edge(float cover) {
    return 0.863 - 0.652 * cover;
}

// The pattern repeats. Here each place is read with one of many offsets, which change along the contours of a noise, so that no
// grid of it shows. The result is the mean over so many places `along` what a pixel covers: seen at a slant, one reading that is
// smooth enough along the view would lose the threads across it.
vec3 unrepeated_pattern(vec2 at, vec2 along, int taps, float level) {
#if PLAIN
    return textureLod(foam_pattern, at, level).rgb;
#else
    float contour = 7.0 * value_noise(0.73 * at, 0);
    float which = floor(contour);
    vec3 first = vec3(0.0);
    vec3 next = vec3(0.0);
    for (int tap = 0; tap < taps; ++tap) {
        vec2 there = at + along * ((float(tap) + 0.5) / float(taps) - 0.5) + which * vec2(0.371, 0.743);
        first += textureLod(foam_pattern, there, level).rgb;
        next += textureLod(foam_pattern, there + vec2(0.371, 0.743), level).rgb;
    }
    return mix(first, next, smoothstep(0.25, 0.75, contour - which)) / float(taps);
#endif
}

// The gradient of the pattern, a factor on STEEPEST.
vec2 relief_of(vec3 read) {
    return (255.0 * read.gb - 128.0) / 127.0;
}

// Circulation in the upper water gathers old foam in rows along the wind (Langmuir 1938). The factor on its cover, 1 on average.
// `at` along the wind and across it, m.
float windrow_factor(vec2 at, float filtered) {
    float level = log2(filtered * float(textureSize(foam_pattern, 0).x) / WINDROWS_TILE.y);
    float near = textureLod(foam_pattern, at / WINDROWS_TILE, level).a;
    float far = textureLod(foam_pattern, (at + 0.1 * at.yx) / (WINDROWS_VARY * WINDROWS_TILE), level - log2(WINDROWS_VARY)).a;
    return mix(1.0, mix(1.0, near / ROWS_MEAN, 0.7) * mix(1.0, far / ROWS_MEAN, 0.35), windrows);
}

// Foam covers the places where its pattern is highest, and as large a share of the water as `cover` says. Far away only
// the mean cover is left. `still` is the place on the still sea, m; a pixel covers `pixel` metres, and shows the mean of
// FOAM_TAPS places along `longer` with texels of the size `detail`, or larger ones if there are too few places.
Foam foam_at(vec2 still, float cover, vec2 longer, float detail, float pixel) {
    float filtered = max(detail, length(longer));
    detail = max(detail, length(longer) / float(FOAM_TAPS));
    vec2 crosswind = vec2(-downwind.y, downwind.x);
    vec2 at = vec2(dot(still, downwind), dot(still, crosswind));
    vec2 along = vec2(dot(longer, downwind), dot(longer, crosswind));
    float gathered = cover;
    float fresh = smoothstep(0.35, 0.85, cover);
    // A storm draws out even fresh foam: no sheet of it is closed.
    cover = min(MOST_COVER, cover * mix(windrow_factor(at, filtered), 1.0, fresh * mix(1.0, 0.8, windrows)));

    // The smaller a pixel, the finer the pattern it shows. A mixture varies less than its parts: a division makes up for it. With a
    // fourth part more of it is far from the mean, which the last factor takes back: foam covers as much from near and far.
    float streaks = mix(1.6, 3.0, windrows);
    float texels = float(textureSize(foam_pattern, 0).x) / FOAM_TILE;   // a metre
    float level = log2(detail * texels);
    vec2 drawn_out = vec2(at.x / streaks, at.y) / FOAM_TILE;
    vec2 drawn_along = vec2(along.x / streaks, along.y) / FOAM_TILE;
    vec2 fine_streaks = mix(vec2(1.0), vec2(1.7, 0.77), windrows);
    vec3 fine_foam = unrepeated_pattern(at / fine_streaks / FOAM_TILE, along / fine_streaks / FOAM_TILE, FOAM_TAPS, level);
    vec3 broad_foam = unrepeated_pattern(drawn_out / BROADER_FOAM, drawn_along / BROADER_FOAM, FOAM_TAPS, level - log2(BROADER_FOAM));
    float broadest = unrepeated_pattern(drawn_out.yx / BROADEST_FOAM, vec2(0.0), 1, log2(filtered * texels / BROADEST_FOAM)).r;
    float fine = 0.65 * (1.0 - smoothstep(0.04 * FOAM_TILE, 0.25 * FOAM_TILE, pixel));
    float far = mix(0.25, 0.85, smoothstep(0.01 * BROADEST_FOAM, 0.15 * BROADEST_FOAM, pixel));
#if PLAIN
    const float grain = 0.5;
    const float finest = 0.0;
#else
    float grain = textureLod(foam_pattern, still * (FINER_FOAM / FOAM_TILE), log2(FINER_FOAM * filtered * texels)).r;
    float finest = 0.3 * (1.0 - smoothstep(0.02 * FOAM_TILE / FINER_FOAM, 0.12 * FOAM_TILE / FINER_FOAM, pixel));
#endif
    // Larger patterns would be flat white spots with an outline in fresh foam. What it has of the fine one shades it. A storm's is
    // torn and drawn out as it is.
    float whole = fresh * (1.0 - smoothstep(0.75, 1.0, windrows));
    float holes = max(fine, FEWEST_HOLES * whole);
    far = mix(far, 0.25, whole);
    vec4 shares = vec4((1.0 - finest) * vec3(holes, (1.0 - holes) * vec2(1.0 - far, far)), finest);
    float mixed = dot(shares, vec4(fine_foam.r, broad_foam.r, broadest, grain)) - PATTERN_MEAN;
    float varied = (0.74 - 0.36 * finest) / length(shares);
    float pattern = PATTERN_MEAN + varied * mixed;
    // Under a pixel that has lost some of the pattern, places are above and below the edge: a step some two deviations of theirs to
    // either side is the share above it. So foam covers as much from near and far, and is as bright.
    float own_level = log2(sqrt(detail * filtered) * texels);
    float drawn_level = own_level - 0.5 * log2(streaks);
    vec3 lost = vec3(variance_lost(own_level), variance_lost(drawn_level - log2(BROADER_FOAM)),
        variance_lost(drawn_level - log2(BROADEST_FOAM)));
    float unresolved = 4.0 * whole * varied * varied * dot(shares.xyz * shares.xyz, lost);
    float blurred = smoothstep(0.01 * BROADEST_FOAM * FOAM_TILE, 0.15 * BROADEST_FOAM * FOAM_TILE, pixel);
    float edge = foam_edge(cover);
    // Pixels larger than the threads show the share that these cover, and foam darkens as it decays, which only much wind lets be seen.
    float unseen = windrows * windrows * smoothstep(0.08, 0.5, pixel);
    // Threads of foam stay white longest: no smooth line is the end of what is fresh.
    float white = smoothstep(0.35, 0.95, gathered + mix(0.9, 0.2, unseen) * (pattern - PATTERN_MEAN));
    float dense = mix(1.0, smoothstep(0.0, 0.8, gathered), unseen);
    float opaque = mix(OLDEST_FOAM, OLD_FOAM, dense);
    // Old foam is a thin lace with soft edges, fresh foam thick and with a clear edge.
    float film = FOAM_FILM * mix(mix(2.2, 3.1, unseen), mix(0.8, 2.0, unseen), white);
    float crisp = FOAM_FILM * mix(2.2, 0.8, white);
    film = max(film, sqrt(crisp * crisp + unresolved));
    float torn = smoothstep(edge - film, edge + mix(1.0, 1.1, unseen) * film, pattern) * smoothstep(0.0, 0.06, cover);
    // Rows gather foam and make it no fresher.
    float fresh_edge = foam_edge(gathered);
    torn *= mix(opaque, 1.0, max(white, dense * smoothstep(fresh_edge, fresh_edge + 0.4, pattern)));

    Foam foam;
    foam.cover = mix(torn, cover * mix(opaque, 1.0, fresh), blurred);
    float thickest = mix(0.55, 0.4, white);
    float thickens = length(vec2(0.5 * (thickest + FOAM_FILM), sqrt(unresolved)));
    float middle = edge + 0.5 * (thickest - FOAM_FILM);
    float thick = smoothstep(middle - thickens, middle + thickens, pattern);
    foam.thickness = mix(thick, 0.5, blurred) * mix(0.3, 1.0, dense);
    foam.thin = 1.0 - smoothstep(0.25, 0.85, pattern);
    // Thick foam stands higher, and light from the side shows it.
    vec2 broad_relief = relief_of(broad_foam);
    broad_relief = (broad_relief.x / streaks * downwind + broad_relief.y * crosswind) / BROADER_FOAM;
    vec2 fine_relief = relief_of(fine_foam) / fine_streaks;
    fine_relief = fine_relief.x * downwind + fine_relief.y * crosswind;
    foam.relief = FOAM_HEIGHT * STEEPEST / FOAM_TILE * mix(broad_relief, fine_relief, fine);
    // Light and dark: bubbles as large as a pixel's neighbourhood, and threads of thick foam above thin.
    foam.grains = 1.0 + (0.9 * (grain - 0.5 - 0.5 * finest) + 1.6 * (fine_foam.r - COVERED_MEAN)) * holes * (1.0 - blurred);
    return foam;
}

// Light that foam with that normal sends back, in sunlight of that irradiance on a surface that faces it.
vec3 foam_light(Foam foam, vec3 normal, vec3 sunlight, float height) {
    // Some light passes through the bubbles, whichever way they face.
    float sunlit = max(0.0, 0.6 * dot(normal, sun_direction) + 0.4 * max(0.0, sun_direction.y));
    // The sky is brighter around the sun, less so through closed clouds; crests see more of it than troughs.
    vec2 sunward = sun_direction.xz / max(1e-3, length(sun_direction.xz));
    float skylit = 0.55 + 0.45 * normal.y + mix(0.6, 0.35, low_clouds) * dot(normal.xz, sunward);
    vec3 light = sunlight * sunlit + sky_irradiance * max(0.2, skylit) * (0.93 + 0.12 * clamp(height, -1.0, 1.0));
    return min(mix(FILM_ALBEDO, FOAM_ALBEDO, foam.thickness) * foam.grains, vec3(0.95)) / PI * light;
}
