//# The sweep `filter` for nearest neighbours. The lower bound is a bound of the value that a pair pushes. The block lists the
//# few pairs that pass, and queues their indices after its last column. Between rounds, another function evaluates the queued
//# pairs, and then the queues are merged as in other sweeps.
//% extends "filter.cu"
//% from "parts.cu" import arguments, feature_of_pair, words_of_pair
//% from "over.cu" import index

//# The queues have indices and no values yet.
//% block sums
//% endblock

//% block pair_function
{% set near = nearest[0] %}
    // Queues a pair that passed, ${domain.inside}.
    const td_candidates ${near.name}_queues{¶${near.name}_queue,¶${near.name}_count,¶${near.name}_capacity,¶${near.name}_missed};
    const auto queue_pair = [&](const unsigned int entry) {
//% if near.has_column
        const unsigned int i = TILE * tile_i + entry / 4 / TILE % TILE, j = TILE * tile_j_of(entry / 4 / (TILE * TILE)) + entry / 4 % TILE;
        if (${domain.has("i", "j", diagonal)}) {
            if (entry & 1)
                ${near.name}_queues.put(i, j);
            if (${"i != j && " if diagonal else ""}entry & 2)
                ${near.name}_queues.put(j, i);
        }
//% else
        const unsigned int i = TILE * tile_i + entry / TILE % TILE, j = TILE * tile_j_of(entry / (TILE * TILE)) + entry % TILE;
        if (${domain.has("i", "j", diagonal)})
            ${near.name}_queues.put(i, j);
//% endif
    };
//% endblock

//% block passed_pairs
{% set near = nearest[0] %}
#pragma unroll
        for (unsigned int half = 0; half < 2; ++half) {
#pragma unroll 1
            for (unsigned int bits = row_bits[half]${" | column_bits[half]" if near.has_column else ""}; bits != 0; bits &= bits - 1) {
                const unsigned int bit = __ffs(bits) - 1, slot = atomicAdd(&length, 1u);
                const unsigned int index = TILE * (top + bit / 2 % 2 * 8) + first + half * 64 + bit / 4 * 8 + bit % 2;
//% if near.has_column
                const unsigned int ends = (row_bits[half] >> bit & 1) + 2 * (column_bits[half] >> bit & 1);
                const unsigned int entry = 4 * (TILE * TILE * visit + index) + ends;
//% else
                const unsigned int entry = TILE * TILE * visit + index;
//% endif
                if (slot < LIST_CAPACITY)
                    list[slot] = entry;
                else
                    queue_pair(entry);
            }
        }
//% endblock

//% block remaining_pairs

    __syncthreads();
    for (unsigned int k = thread; k < min(length, LIST_CAPACITY); k += THREADS)
        queue_pair(list[k]);
//% endblock

//% block refine
{% set of_row = row_features[0] %}
{% set of_column = column_features[0] %}
{% set near = nearest[0] %}

// After a round: a warp evaluates the queue of an element and keeps the pairs that are nearer than its last neighbour. A
// launch passes this function the kernel's parameters, so some are unused.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_refine(¶${refine_parameters})
{
#include <constants>

    const unsigned int element = BLOCK_ELEMENTS * blockIdx.x + threadIdx.y;
    if (element >= ${domain.rows})
        return;
    unsigned long long *const queue = ${near.name}_queue + (unsigned long long)element * ${near.name}_capacity;
    const unsigned long long last = ${near.name}_cells[(unsigned long long)element * NEAREST + NEAREST - 1];
    const unsigned int count = min(${near.name}_count[element], ${near.name}_capacity);
    const unsigned int words = features / WORD + (features % WORD > 0), lane = threadIdx.x;
    // Two pieces of the features of up to BATCH other elements, and of the warp's own element after them: one piece is folded
    // while the next is copied. A word of padding for each element avoids bank conflicts.
    __shared__ uint4 pieces[BLOCK_ELEMENTS][2][BATCH + 1][PIECE + 1];
    auto &staged = pieces[threadIdx.y];
    unsigned int queued = 0;
    for (unsigned int begin = 0; begin < count; begin += BATCH) {
        const unsigned int batch = min(count - begin, BATCH);
        const bool active = lane < batch;
        const unsigned int other = active ? queue[begin + lane] : element;
        ${index("i", "element" if domain.is_rectangle else "max(element, other)", refine_uses.i)}
        ${index("j", "other" if domain.is_rectangle else "min(element, other)", refine_uses.j)}
        ${folds|lines("@.type @_fold@.begin;")}
        // Words past the last one are readable and are not folded.
        const auto fetch = [&](const unsigned int first) {
            for (unsigned int r = 0; r <= batch; r += 32 / PIECE) {
                const unsigned int slot = r + lane / PIECE, next = __shfl_sync(0xffffffff, other, slot % BATCH);
//% if domain.is_rectangle
                const uint4 *const from = slot < batch ? ${of_column.name}_all + (unsigned long long)next * words : ${of_row.name}_all + (unsigned long long)element * words;
                if (slot <= batch)
                    td_copy_async(¶&staged[first / PIECE % 2][slot < batch ? slot : BATCH][lane % PIECE],¶from + first + lane % PIECE);
//% else
                const unsigned int from = slot < batch ? next : element;
                if (slot <= batch)
                    td_copy_async(¶&staged[first / PIECE % 2][slot < batch ? slot : BATCH][lane % PIECE],¶${of_row.name}_all + (unsigned long long)from * words + first + lane % PIECE);
//% endif
            }
        };
        fetch(0);
        for (unsigned int first = 0; first < words; first += PIECE) {
            td_wait_for_copies();
            __syncwarp();
            if (first + PIECE < words)
                fetch(first + PIECE);
            const auto &piece = staged[first / PIECE % 2];
//% if domain.is_rectangle
            const uint4 *const ${row_features[0].name}_rows = piece[BATCH], *const ${column_features[0].name}_cols = piece[lane];
//% else
            // The larger index is i.
            const uint4 *const ${row_features[0].name}_rows = piece[element > other ? BATCH : lane], *const ${column_features[0].name}_cols = piece[element > other ? lane : BATCH];
//% endif
            if (active) {
#pragma unroll
                for (unsigned int next = 0; next < PIECE; ++next) {
                    const unsigned int word = first + next;
                    ${words_of_pair("next")}
                    if (word < features / WORD) {
#pragma unroll
                        for (unsigned int offset = 0; offset < WORD; ++offset) {~
                            ${feature_of_pair()}
                        ~}
                    } else if (word < words) {
                        // The remaining features.
#pragma unroll
                        for (unsigned int offset = 0; offset < WORD - 1; ++offset) {
                            if (offset < features % WORD) {~
                                ${feature_of_pair()}
                            ~}
                        }
                    }
                }
            }
            __syncwarp();
        }
        unsigned long long cell = 0;
        if (active) {
            ${near.pushed} ${near.name}_pushed;
            ${name}_pair(¶${arguments(pair_arguments, "@_all[i]", "@_all[j]")});
            if (${near.name}_pushed.is_number())
                cell = (unsigned long long)~${near.order}::rank(${near.name}_pushed.value) << 32 | ~other;
        }
        const unsigned int nearer = __ballot_sync(0xffffffff, cell > last);
        if (cell > last)
            queue[queued + __popc(nearer & ((1u << lane) - 1))] = cell;
        queued += __popc(nearer);
        __syncwarp();
    }
    if (lane == 0)
        ${near.name}_count[element] = queued;
}
//% endblock
