// Two real lines as one complex line, z = first + i second, of whose transform Z the spectra are
//     first[k] = (Z[k] + conj(Z[N - k])) / 2,  second[k] = (Z[k] - conj(Z[N - k])) / 2i.
//
// Defines: REAL_LINES  in a layer; an odd last one is paired with zeros
// Inputs, outputs: common/line_access.glsl

bool second_exists(int pair) {
    return REAL_LINES % 2 == 0 || 2 * pair + 1 < REAL_LINES;
}

value load_two(int position, int pair, int layer) {
    value first = load_point(position, 2 * pair, layer);
    value second = load_point(position, min(2 * pair + 1, REAL_LINES - 1), layer);
    return second_exists(pair) ? first + times_i(second) : first;
}

void store_two(int position, int pair, int layer, value z) {
    store_point(position, 2 * pair, layer, z);
    if (second_exists(pair)) {
        store_point(position, 2 * pair + 1, layer, -times_i(z));
    }
}

// Both spectra at a position, of which those up to N / 2 are stored, from Z there and at N - position.
void store_spectra(int position, int pair, int layer, value z, value mirrored) {
    store_point(position, 2 * pair, layer, 0.5 * (z + conjugate(mirrored)));
    if (second_exists(pair)) {
        store_point(position, 2 * pair + 1, layer, -0.5 * times_i(z - conjugate(mirrored)));
    }
}
