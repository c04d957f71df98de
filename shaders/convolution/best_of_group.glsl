// The greatest value of a work group and where it is; of equal ones the first place. A place below 0 is none.
//
// Defines: THREADS  invocations of the work group, a power of two

shared float best_values[THREADS];
shared int best_places[THREADS];

bool is_better(float value, int place, float than, int than_place) {
    if (place < 0) return false;
    return than_place < 0 || value > than || (value == than && place < than_place);
}

// The result is in the first element of both arrays. All invocations must call it.
void find_best_of_group(float value, int place) {
    int me = int(gl_LocalInvocationIndex);
    barrier();
    best_values[me] = value;
    best_places[me] = place;
    barrier();
    for (int half_way = THREADS / 2; half_way > 0; half_way /= 2) {
        if (me < half_way) {
            float other = best_values[me + half_way];
            int other_place = best_places[me + half_way];
            if (is_better(other, other_place, best_values[me], best_places[me])) {
                best_values[me] = other;
                best_places[me] = other_place;
            }
        }
        barrier();
    }
}
