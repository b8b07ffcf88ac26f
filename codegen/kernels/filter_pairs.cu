//# The sweep `filter` for lists, sums and results of elements. A pair with a lower bound above 0 is skipped. The same kernel
//# evaluates the others, when their list is full and after the block's last column: each thread has a pair and reads the
//# features of both elements from global memory, some words ahead.
//% extends "filter.cu"
//% from "parts.cu" import folded_pair, single_pair

//% block passed_pairs

        // Pairs that passed are listed until the list is full or the last column is done.
#pragma unroll 1
        for (;;) {
#pragma unroll
            for (unsigned int half = 0; half < 2; ++half) {
#pragma unroll 1
                for (; passed[half] != 0; passed[half] &= passed[half] - 1) {
                    const unsigned int slot = atomicAdd(&length, 1u);
                    if (slot >= LIST_CAPACITY)
                        break;
                    const unsigned int bit = __ffs(passed[half]) - 1;
                    const unsigned int index = TILE * (top + bit / 2 % 2 * 8) + first + half * 64 + bit / 4 * 8 + bit % 2;
                    list[slot] = TILE * TILE * visit + index;
                }
            }
            // Whether some thread has a pair that did not fit.
            const bool is_full = __syncthreads_or(passed[0] | passed[1]);
            if (!is_full && visit + 1 < count)
                break;
#pragma unroll 1
            for (unsigned int k = thread; k < min(length, LIST_CAPACITY); k += THREADS) {
                const unsigned int entry = list[k];
                const unsigned int i = TILE * tile_i + entry / TILE % TILE, j = TILE * tile_j_of(entry / (TILE * TILE)) + entry % TILE;
                // Only pairs ${domain.inside}.
                if (${domain.has_pair}) {
                    ${folded_pair()}
                    ${single_pair()}
                }
            }
            if (!is_full)
                break;
            __syncthreads();
            if (thread == 0)
                length = 0;
            __syncthreads();
        }
//% endblock
