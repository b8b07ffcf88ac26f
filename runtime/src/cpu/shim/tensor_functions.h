// What tensor cores do for a warp, and copies into shared memory that a GPU does meanwhile. The generated text calls these
// where it has inline PTX for a GPU.
#ifndef TD_CPU_TENSOR_FUNCTIONS_H
#define TD_CPU_TENSOR_FUNCTIONS_H

#include <stdint.h>
#include <string.h>

#include "conversions.h"
#include "execution.h"
#include "warp_functions.h"

namespace td_cpu {

// What the lanes of each warp show each other. A block runs on one thread of the system, and its warps by turns. Of two
// places one is written while the other may still be read: before a lane comes back to the first, it has waited for all
// lanes at the second.
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

// No lane goes on before all have read their rows, which it may overwrite then.
inline void load_matrices(unsigned (&words)[4], const void *row) {
    shown *const all = next_shown_by_warp();
    all[lane()].row = row;
    __syncwarp();
    for (unsigned matrix = 0; matrix < 4; ++matrix) {
        const char *const from = static_cast<const char *>(all[8 * matrix + lane() / 4].row);
        memcpy(&words[matrix], from + 4 * (lane() % 4), 4);
    }
    __syncwarp();
}

// One of the two numbers of a word: a bfloat16 is the upper half of a float.
inline float half_of(uint32_t word, unsigned which) {
    return same_bits<float>(which == 0 ? word << 16 : word & 0xffff0000u);
}

// Sums are rounded here, which a GPU's tensor cores do not do so well.
inline void multiply(float (&sums)[4], const unsigned (&rows)[4], unsigned low, unsigned high) {
    shown *const all = next_shown_by_warp();
    memcpy(all[lane()].words, rows, sizeof(rows));
    all[lane()].words[4] = low;
    all[lane()].words[5] = high;
    __syncwarp();
    for (unsigned place = 0; place < 4; ++place) {
        const unsigned row = lane() / 4, column = lane() % 4 * 2 + place % 2;
        for (unsigned k = 0; k < 16; ++k) {
            const uint32_t *const of_row = all[4 * row + k % 8 / 2].words;
            const uint32_t *const of_column = all[4 * column + k % 8 / 2].words;
            const float x = half_of(of_row[place / 2 + k / 8 * 2], k % 2);
            sums[place] += x * half_of(of_column[4 + k / 8], k % 2);
        }
    }
}

}  // namespace td_cpu

#endif
