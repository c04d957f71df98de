// |F|^2 of a real picture's spectrum, with the zero frequency at (SIDE / 2, SIDE / 2), both halves of it.
// Outputs: power, an image of one channel, SIDE x SIDE.   Defines: SIDE, an even number.

writeonly uniform image2D power;

void store(ivec3 at, value result) {
    vec4 squared = vec4(dot(result.xy, result.xy));
    ivec2 place = (at.xy + SIDE / 2) % SIDE;
    imageStore(power, place, squared);
    // F(-k) is the conjugate of F(k). The columns at both ends have both halves already.
    ivec2 turned = max(SIDE - place, ivec2(1)) % SIDE;
    if (at.x > 0 && at.x < SIDE / 2) imageStore(power, turned, squared);
}
