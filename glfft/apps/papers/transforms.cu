__device__ float2 product(float2 a, float2 b) {
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__device__ float2 sum(float2 a, float2 b) {
    return make_float2(a.x + b.x, a.y + b.y);
}

__device__ float2 difference(float2 a, float2 b) {
    return make_float2(a.x - b.x, a.y - b.y);
}

__device__ unsigned bits_reversed(unsigned number, int bits) {
    return bits == 0 ? 0 : __brev(number) >> (32 - bits);
}

// A stage of decimation in frequency over whole lines: a butterfly a thread, a line to blockIdx.x.
// roots[m] = exp(-2 pi i m / length), for the first half of a turn.
extern "C" __global__ void global_stage(
    const float2* source, float2* target, const float2* roots, int length, int stage
) {
    int butterfly = blockIdx.y * blockDim.x + threadIdx.x;
    int half = length >> (stage + 1);
    size_t low = (size_t)blockIdx.x * length + butterfly + (butterfly & ~(half - 1));
    float2 a = source[low], b = source[low + half];
    target[low] = sum(a, b);
    target[low + half] = product(difference(a, b), roots[(butterfly & (half - 1)) << stage]);
}

// All stages of a part of a line, of 2 blockDim.x points, in constant geometry; a part to blockIdx.y. The results are
// those of the whole line, in order. Bits are reversed in the places that are written, or in those of shared memory.
extern "C" __global__ void local_stages(
    const float2* source, float2* target, const float2* roots, int stages_before, int stages, int on_writing
) {
    extern __shared__ float2 points[];
    int thread = threadIdx.x, half = blockDim.x, parts = 1 << stages_before;
    size_t line = (size_t)blockIdx.x << (stages_before + stages);
    size_t first = line + ((size_t)blockIdx.y << stages);
    points[thread] = source[first + thread];
    points[thread + half] = source[first + thread + half];
    int from = 0, to = 2 * half;
    for (int stage = 0; stage < stages; ++stage) {
        __syncthreads();
        float2 a = points[from + thread], b = points[from + thread + half];
        float2 root = roots[((thread >> stage) << stage) << stages_before];
        points[to + 2 * thread] = sum(a, b);
        points[to + 2 * thread + 1] = product(difference(a, b), root);
        int before = from;
        from = to;
        to = before;
    }
    __syncthreads();
    size_t place = line + bits_reversed(blockIdx.y, stages_before);
    for (int position = thread; position < 2 * half; position += half) {
        if (on_writing) {
            unsigned number = (blockIdx.y << stages) + position;
            target[line + bits_reversed(number, stages_before + stages)] = points[from + position];
        } else {
            target[place + (size_t)position * parts] = points[from + bits_reversed(position, stages)];
        }
    }
}

// What follows does a line in one block, in shared memory. From point to point of a line it is `step` places, from line
// to line `apart`.

// All stages of decimation in time, a butterfly a thread.
// roots[m] = exp(-2 pi i m / length), for the first half of a turn.
extern "C" __global__ void cooley_tukey(
    const float2* source, float2* target, const float2* roots, int stages, int step, int apart
) {
    extern __shared__ float2 points[];
    int thread = threadIdx.x, half = blockDim.x;
    size_t first = (size_t)blockIdx.x * apart;
    for (int position = thread; position < 2 * half; position += half) {
        points[bits_reversed(position, stages)] = source[first + (size_t)position * step];
    }
    for (int stage = 0; stage < stages; ++stage) {
        __syncthreads();
        int span = 1 << stage, k = thread & (span - 1), upper = 2 * (thread - k) + k;
        float2 a = points[upper], b = product(points[upper + span], roots[k << (stages - 1 - stage)]);
        points[upper] = sum(a, b);
        points[upper + span] = difference(a, b);
    }
    __syncthreads();
    for (int position = thread; position < 2 * half; position += half) {
        target[first + (size_t)position * step] = points[position];
    }
}

// Stockham's stages of radix 2, a butterfly a thread. roots has all of a turn.
extern "C" __global__ void stockham_2(
    const float2* source, float2* target, const float2* roots, int stages, int step, int apart
) {
    extern __shared__ float2 points[];
    int thread = threadIdx.x, half = blockDim.x;
    size_t first = (size_t)blockIdx.x * apart;
    float2 a = source[first + (size_t)thread * step], b = source[first + (size_t)(thread + half) * step];
    for (int stage = 0;; ++stage) {
        int span = 1 << stage, k = thread & (span - 1), place = 2 * (thread - k) + k;
        b = product(b, roots[k << (stages - 1 - stage)]);
        if (stage == stages - 1) {
            target[first + (size_t)place * step] = sum(a, b);
            target[first + (size_t)(place + span) * step] = difference(a, b);
            return;
        }
        points[place] = sum(a, b);
        points[place + span] = difference(a, b);
        __syncthreads();
        a = points[thread];
        b = points[thread + half];
        __syncthreads();
    }
}

// Stockham's stages of radix 4 and, for odd powers of two, a last one of radix 2: four points a thread.
extern "C" __global__ void stockham_4(
    const float2* source, float2* target, const float2* roots, int stages, int step, int apart
) {
    extern __shared__ float2 points[];
    int thread = threadIdx.x, quarter = blockDim.x, half = 2 * quarter, length = 2 * half;
    size_t first = (size_t)blockIdx.x * apart;
    float2 v[4];
    for (int r = 0; r < 4; ++r) {
        v[r] = source[first + (size_t)(thread + r * quarter) * step];
    }
    int span = 1;
    for (; 4 * span <= length; span *= 4) {
        int k = thread & (span - 1), place = 4 * (thread - k) + k;
        for (int r = 1; r < 4; ++r) {
            v[r] = product(v[r], roots[r * k * (length / (4 * span))]);
        }
        float2 even = sum(v[0], v[2]), odd = sum(v[1], v[3]);
        float2 low = difference(v[0], v[2]), high = difference(v[1], v[3]);
        high = make_float2(high.y, -high.x);
        v[0] = sum(even, odd);
        v[1] = sum(low, high);
        v[2] = difference(even, odd);
        v[3] = difference(low, high);
        if (4 * span == length) {
            for (int r = 0; r < 4; ++r) {
                target[first + (size_t)(place + r * span) * step] = v[r];
            }
            return;
        }
        for (int r = 0; r < 4; ++r) {
            points[place + r * span] = v[r];
        }
        __syncthreads();
        for (int r = 0; r < 4; ++r) {
            v[r] = points[thread + r * quarter];
        }
        __syncthreads();
    }
    for (int r = 0; r < 2; ++r) {
        int k = thread + r * quarter;
        float2 b = product(v[r + 2], roots[k]);
        target[first + (size_t)k * step] = sum(v[r], b);
        target[first + (size_t)(k + half) * step] = difference(v[r], b);
    }
}

extern "C" __global__ void transpose(const float2* source, float2* target, int rows, int columns) {
    __shared__ float2 tile[TILE][TILE + 1];
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    if (row + threadIdx.y < rows && column + threadIdx.x < columns) {
        tile[threadIdx.y][threadIdx.x] = source[(size_t)(row + threadIdx.y) * columns + column + threadIdx.x];
    }
    __syncthreads();
    if (column + threadIdx.y < columns && row + threadIdx.x < rows) {
        target[(size_t)(column + threadIdx.y) * rows + row + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
    }
}
