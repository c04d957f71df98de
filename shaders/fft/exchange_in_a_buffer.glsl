// The exchange of fft/exchange.glsl through a buffer, fft/slots_in_buffer.glsl, whole values at once.

// From the outputs of a stage of a radix to the inputs of one of `next_radix`. `number` counts the exchanges from 0.
void exchange(inout line_point v[POINTS], Place place, int radix, int span, int next_radix, int number) {
    int butterflies = BUTTERFLIES(radix);
    int next_butterflies = BUTTERFLIES(next_radix);
    if (number > 0) {
        synchronize_slots();
    }
    for (int b = 0; b < butterflies; ++b) {
        int first_slot = slot(output_position(place.thread, b, radix, span), place.line_in_group);
        if (butterfly_exists(place.thread, b, radix)) {
            for (int i = 0; i < radix; ++i) {
                fill_slot(first_slot + i * span * SLOT_STRIDE, v[b + i * butterflies]);
            }
        }
    }
    synchronize_slots();
    int next_slot = slot(place.thread, place.line_in_group);
    for (int m = 0; m < next_radix * next_butterflies; ++m) {
        int b = m % next_butterflies;
        int further = b * THREADS + m / next_butterflies * (LENGTH / next_radix);
        if (butterfly_exists(place.thread, b, next_radix)) {
            v[m] = slot_value(next_slot + further * SLOT_STRIDE);
        }
    }
}
