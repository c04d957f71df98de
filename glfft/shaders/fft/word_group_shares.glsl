// A stage of word groups whose operations are dealt out to GROUP_THREADS threads each, with barriers in between. Where
// a butterfly has several threads, each does the same number of additions and of multiplications.
// Ambuluri, Implementations of the FFT algorithm on GPU, 2012, section 4.2.2.

// One of the two components of a value: reals or imaginary parts.
#if PAIRED
#define component_type vec2
component_type component_of(value v, int component) {
    return component == 0 ? v.xz : v.yw;
}
void put_component(int slot, int component, component_type number) {
    if (component == 0) {
        points[slot].xz = number;
    } else {
        points[slot].yw = number;
    }
}
#else
#define component_type float
component_type component_of(value v, int component) {
    return component == 0 ? v.x : v.y;
}
void put_component(int slot, int component, component_type number) {
    if (component == 0) {
        points[slot].x = number;
    } else {
        points[slot].y = number;
    }
}
#endif

// What a thread does of a butterfly: item `item` of SHARES * LENGTH / 2.
struct Work {
    Butterfly butterfly;
    int stage;
    int share;  // of SHARES
    int upper_in, lower_in, upper_out, lower_out;
};

Work work_of(int item, int exponent, int stage, int log_words) {
    int worker = remainder(item, WORKERS);
    int member = remainder(worker, GROUP_THREADS);
    int nth = member / SHARES + item / WORKERS * (GROUP_THREADS / SHARES);
    // The nth of the words with an even multiple of 2^exponent before them.
    int i = (nth >> exponent << (exponent + 1)) + (nth & (power_of_two(exponent) - 1));
    int group = (worker / GROUP_THREADS << (LOG_WORDS - log_words)) + (i >> log_words);
    int word = i & (power_of_two(log_words) - 1);
    Butterfly butterfly = butterfly_of(group, word, exponent, stage, log_words);
    int its_stage = stage + log_words - 1 - exponent;
    return Work(
        butterfly,
        its_stage,
        remainder(item, SHARES),
        input_slot(butterfly.number, 0, its_stage, 1),
        input_slot(butterfly.number, 1, its_stage, 1),
        output_slot(butterfly.number, 0, its_stage, 1),
        output_slot(butterfly.number, 1, its_stage, 1)
    );
}

const int ITEMS = SHARES * LENGTH / 2;

// From one array to where its result is returned.
int shared_step(int from, int thread, int exponent, int stage, int log_words, int part) {
    int to = ARRAYS == 1 ? 0 : LENGTH - from;
    barrier();
    for (int item = thread; item < ITEMS; item += THREADS) {
        Work work = work_of(item, exponent, stage, log_words);
        value a = points[from + work.upper_in];
        value b = points[from + work.lower_in];
        if (SHARES == 1) {
            points[to + work.upper_out] = twiddled(a + b, 0, work.butterfly, work.stage, part);
            points[to + work.lower_out] = twiddled(a - b, 1, work.butterfly, work.stage, part);
            continue;
        }
        int word = work.share * 2 / SHARES;
        int slot = to + (word == 0 ? work.upper_out : work.lower_out);
        value v = word == 0 ? a + b : a - b;
        bool whole = RADIX_22 == 1 && (SHARES == 2 || (FIRST_STAGE + work.stage) % 2 == 0);
        if (whole) {
            v = twiddled(v, word, work.butterfly, work.stage, part);
        }
        if (SHARES == 2) {
            points[slot] = v;
        } else {
            put_component(slot, work.share % 2, component_of(v, work.share % 2));
        }
    }
    int its_stage = stage + log_words - 1 - exponent;
    if (SHARES == 1 || (RADIX_22 == 1 && (SHARES == 2 || (FIRST_STAGE + its_stage) % 2 == 0))) {
        return to;
    }
    barrier();
#if RADIX_22 || SHARES == 2
    // Each thread multiplies a component, and writes it back to the first array.
    for (int item = thread; item < ITEMS; item += THREADS) {
        Work work = work_of(item, exponent, stage, log_words);
        int component = work.share % 2;
        for (int word = SHARES == 2 ? 0 : work.share / 2; word <= (SHARES == 2 ? 1 : work.share / 2); ++word) {
            int slot = word == 0 ? work.upper_out : work.lower_out;
            value v = twiddled(points[to + slot], word, work.butterfly, work.stage, part);
            put_component(from + slot, component, component_of(v, component));
        }
    }
    return from;
#else
    // Each thread does one of the four multiplications, into the first array; then two of four add them up.
    for (int item = thread; item < ITEMS; item += THREADS) {
        Work work = work_of(item, exponent, stage, log_words);
        int component = work.share % 2;
        int factor = work.share / 2;
        complex w = root_of(work.butterfly.k, divided_by_power(LENGTH, work.stage));
        component_type product = component_of(points[to + work.lower_out], component) * (factor == 0 ? w.x : w.y);
        put_component(from + (factor == 0 ? work.upper_out : work.lower_out), component, product);
    }
    barrier();
    for (int item = thread; item < ITEMS; item += THREADS) {
        Work work = work_of(item, exponent, stage, log_words);
        int component = work.share % 2;
        if (work.share / 2 == 1) {
            value by_real = points[from + work.upper_out];
            value by_imaginary = points[from + work.lower_out];
            component_type sum = component == 0
                ? component_of(by_real, 0) - component_of(by_imaginary, 1)
                : component_of(by_real, 1) + component_of(by_imaginary, 0);
            put_component(to + work.lower_out, component, sum);
        }
    }
    return to;
#endif
}
