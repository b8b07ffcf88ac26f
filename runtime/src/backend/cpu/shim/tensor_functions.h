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

// A 16-bit float, and the power of two of its exponent field: a subnormal number has the field of the least normal one, and zero
// has none. Infinities and NaNs have an infinite one.
struct half {
    float value, power;
};

// One of the two numbers in a word.
template <bool is_bfloat16>
inline half half_of(uint32_t word, unsigned which) {
    const uint32_t bits = which == 0 ? word & 0xffffu : word >> 16;
    // A bfloat16 is the upper half of a float. An f16 has the exponent's bias 15 instead of 127.
    const uint32_t whole = is_bfloat16 ? bits << 16 : (bits & 0x8000u) << 16 | (bits & 0x7fffu) << 13;
    const uint32_t field = is_bfloat16 ? 0x7f800000u : 31u << 23;
    const float bias = is_bfloat16 ? 1.0f : 0x1p112f, value = same_bits<float>(whole) * bias;
    if ((whole & field) == field)
        return {whole & 0x007fffffu ? NAN : same_bits<float>(whole | 0x7f800000u), INFINITY};
    const float power = same_bits<float>((whole & field) == 0 ? 1u << 23 : whole & field) * bias;
    return {value, value == 0.0f ? 0.0f : power};
}

// Shows this thread's words to its warp, and returns those of all its threads.
inline const shown *show(const unsigned (&rows)[4], unsigned low, unsigned high) {
    shown *const all = next_shown_by_warp();
    const unsigned own = lane();
    memcpy(all[own].words, rows, sizeof(rows));
    all[own].words[4] = low;
    all[own].words[5] = high;
    __syncwarp();
    return all;
}

// The double, cut to 24 bits.
inline float cut(double value) {
    return static_cast<float>(same_bits<double>(same_bits<uint64_t>(value) & ~((1ull << 29) - 1)));
}

// Sums are cut as the bounds of errors assume at worst: four products at a time are added to the sum. They are aligned by their
// exponent fields, and what is below 2^-23 of the largest field is cut off.
template <bool is_bfloat16>
inline void multiply(float (&sums)[4], const unsigned (&rows)[4], unsigned low, unsigned high) {
    const shown *const all = show(rows, low, high), *const row = all + 4 * (lane() / 4);
    // Two rows and two columns, each unpacked once for its two products.
    half of_rows[2][16], of_columns[2][16];
    const shown *const columns = all + 8 * (lane() % 4);
    for (unsigned which = 0; which < 2; ++which) {
        for (unsigned k = 0; k < 16; ++k) {
            const unsigned lane_of_k = k % 8 / 2;
            of_rows[which][k] = half_of<is_bfloat16>(row[lane_of_k].words[which + k / 8 * 2], k % 2);
            of_columns[which][k] = half_of<is_bfloat16>(columns[4 * which + lane_of_k].words[4 + k / 8], k % 2);
        }
    }
    for (unsigned place = 0; place < 4; ++place) {
        const half *const x = of_rows[place / 2], *const y = of_columns[place % 2];
        for (unsigned k = 0; k < 16; k += 4) {
            const float sum = sums[place];
            double terms[5] = {sum}, largest = same_bits<float>(same_bits<uint32_t>(sum) & 0x7f800000u);
            if (sum != 0.0f && largest < 0x1p-126)
                largest = 0x1p-126;
            for (unsigned next = 0; next < 4; ++next) {
                terms[1 + next] = double(x[k + next].value) * y[k + next].value;
                const double power = double(x[k + next].power) * y[k + next].power;
                // Also if it is NaN: an infinity times zero.
                if (!(power <= largest))
                    largest = power;
            }
            if (!(largest < INFINITY)) {
                for (unsigned next = 0; next < 4; ++next)
                    sums[place] += static_cast<float>(terms[1 + next]);
                continue;
            }
            if (largest == 0.0)
                continue;
            // Powers of two, so all of this is exact.
            const double unit = 0x1p-23 * largest, inverse = 1.0 / unit;
            int64_t total = 0;
            for (const double term : terms)
                total += static_cast<int64_t>(term * inverse);
            sums[place] = cut(static_cast<double>(total) * unit);
        }
    }
}

// The same with 8-bit integers, over 32 of each.
template <typename Byte>
inline void multiply_bytes(int (&sums)[4], const unsigned (&rows)[4], unsigned low, unsigned high) {
    const shown *const all = show(rows, low, high), *const row = all + 4 * (lane() / 4);
    const shown *const columns = all + 8 * (lane() % 4);
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
