// Registers of which no thread's is a point that the source or the target holds. A compiler knows them, and leaves out what
// is made of zeros only, and what leads to no point that is stored.
//
// Defines: those of fft/stockham.glsl and storage/region.glsl

bool may_be_held(int m, int radix, ivec3 first, ivec3 count) {
    int least = butterfly_of(m, radix) * THREADS + m / BUTTERFLIES(radix) * (LENGTH / radix);
#if BOTH_AXES
    int begin = first.y * COLUMNS;
    int points = count.y * COLUMNS;
#else
    int begin = AXIS == 1 ? first.x : AXIS == 0 ? first.y : first.z;
    int points = AXIS == 1 ? count.x : AXIS == 0 ? count.y : count.z;
#endif
    int each = HALVED == 1 ? 2 : 1;
    return each * (least + THREADS) > begin && each * least < begin + points;
}

#if SOURCE_REGION
bool may_be_loaded(int m) {
    // A Hermitian half has all points, those past its end as conjugates.
    return READS_HERMITIAN == 1 || SOURCE_BOUNDARY > 0 || may_be_held(m, FIRST_RADIX, SOURCE_FIRST, SOURCE_SHAPE);
}
#endif

#if TARGET_REGION
bool may_be_stored(int m) {
    // A picture's spectrum has its columns one after the other, and is stored as a whole.
    return (BOTH_AXES == 1 && TWICE == 0) || may_be_held(m, END_RADIX, TARGET_FIRST, TARGET_SHAPE);
}
#endif
