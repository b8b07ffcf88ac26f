// A warp's tensor core operations, and the asynchronous copies to shared memory. The generated source calls these where it has
// inline PTX for a GPU.
#ifndef TD_CPU_TENSOR_FUNCTIONS_H
#define TD_CPU_TENSOR_FUNCTIONS_H

#include <stdint.h>
#include <string.h>

#include "conversions.h"
#include "execution.h"
#include "warp_functions.h"

namespace td_cpu {

// What the lanes of each warp exchange. A block runs on one operating system thread, so its warps take turns. There are two
// buffers: one is written while the other may still be read. Before a lane returns to the first, it has waited for all lanes at
// the second.
struct shown {
    const void *row;
    uint32_t words[6];
};
inline thread_local shown all_shown[32][2][32];

inline shown *next_shown_by_warp() {
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    turns[thread] ^= 1;
    return all_shown[thread / 32][turns[thread]];
}

// No lane continues before all have read their rows, which it may then overwrite.
inline void load_matrices(unsigned (&words)[4], const void *row) {
    shown *const all = next_shown_by_warp();
    const unsigned own = lane();
    all[own].row = row;
    __syncwarp();
    for (unsigned matrix = 0; matrix < 4; ++matrix) {
        const char *const from = static_cast<const char *>(all[8 * matrix + own / 4].row);
        memcpy(&words[matrix], from + 4 * (own % 4), 4);
    }
    __syncwarp();
}

// One of the two numbers in a word.
template <bool is_bfloat16>
inline float half_of(uint32_t word, unsigned which) {
    const uint32_t bits = which == 0 ? word & 0xffffu : word >> 16;
    // A bfloat16 is the upper half of a float.
    if (is_bfloat16)
        return same_bits<float>(bits << 16);
    const int exponent = static_cast<int>(bits >> 10 & 31u), fraction = static_cast<int>(bits & 1023u);
    const float sign = bits >> 15 ? -1.0f : 1.0f;
    if (exponent == 31)
        return fraction == 0 ? sign * INFINITY : NAN;
    // Below 2^-14 the exponent is that of 2^-14, without the leading bit.
    return sign * (exponent == 0 ? ldexpf(static_cast<float>(fraction), -24)
                                 : ldexpf(static_cast<float>(1024 + fraction), exponent - 25));
}

// Sums are rounded here; a GPU's tensor cores are less precise.
template <bool is_bfloat16>
inline void multiply(float (&sums)[4], const unsigned (&rows)[4], unsigned low, unsigned high) {
    shown *const all = next_shown_by_warp();
    const unsigned own = lane();
    memcpy(all[own].words, rows, sizeof(rows));
    all[own].words[4] = low;
    all[own].words[5] = high;
    __syncwarp();
    // Two rows and two columns, each unpacked once for its two products.
    float of_rows[2][16], of_columns[2][16];
    const shown *const row = all + 4 * (own / 4), *const columns = all + 8 * (own % 4);
    for (unsigned which = 0; which < 2; ++which) {
        for (unsigned k = 0; k < 16; ++k) {
            const unsigned lane_of_k = k % 8 / 2;
            of_rows[which][k] = half_of<is_bfloat16>(row[lane_of_k].words[which + k / 8 * 2], k % 2);
            of_columns[which][k] = half_of<is_bfloat16>(columns[4 * which + lane_of_k].words[4 + k / 8], k % 2);
        }
    }
    for (unsigned place = 0; place < 4; ++place) {
        for (unsigned k = 0; k < 16; ++k)
            sums[place] += of_rows[place / 2][k] * of_columns[place % 2][k];
    }
}

// The same with 8-bit integers, over 32 of each.
template <typename Byte>
inline void multiply_bytes(int (&sums)[4], const unsigned (&rows)[4], unsigned low, unsigned high) {
    shown *const all = next_shown_by_warp();
    const unsigned own = lane();
    memcpy(all[own].words, rows, sizeof(rows));
    all[own].words[4] = low;
    all[own].words[5] = high;
    __syncwarp();
    const shown *const row = all + 4 * (own / 4), *const columns = all + 8 * (own % 4);
    for (unsigned place = 0; place < 4; ++place) {
        for (unsigned k = 0; k < 32; ++k) {
            const unsigned lane_of_k = k % 16 / 4, bit = 8 * (k % 4);
            const uint32_t of_row = row[lane_of_k].words[place / 2 + k / 16 * 2];
            const uint32_t of_column = columns[4 * (place % 2) + lane_of_k].words[4 + k / 16];
            sums[place] += static_cast<Byte>(of_row >> bit) * static_cast<Byte>(of_column >> bit);
        }
    }
}

}  // namespace td_cpu

#endif
