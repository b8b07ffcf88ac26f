//# The sweep `filter` for lists, sums and results of elements. A pair with a lower bound above 0 is skipped. The same kernel
//# evaluates the others, when their list is full and after the block's last column: each thread has a pair and reads the
//# features of both elements from global memory, some words ahead.
//% extends "filter.cu"
//% from "parts.cu" import append, evaluate, gather, parts

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
                // Inside the ${domain.area}${"" if domain.is_rectangle else ": " ~ domain.filter}.
                if (${domain.has_pair}) {
                    ${pair()}
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

//# The pair (i, j), feature by feature.
//% macro pair()
const unsigned int words = features / WORD + (features % WORD > 0);
const uint4 *const row_words = ${row_features[0].name}_all + (unsigned long long)i * words, *const column_words = ${column_features[0].name}_all + (unsigned long long)j * words;
//% for fold in folds
${fold.type} ${fold.name}_fold${" = " ~ fold.start if fold.start else "{}"};
//% endfor
#pragma unroll 2
for (unsigned int word = 0; word < features / WORD; ++word) {
    const auto row_word = *(const td_vector<float, WORD> *)(row_words + word), column_word = *(const td_vector<float, WORD> *)(column_words + word);
#pragma unroll
    for (unsigned int offset = 0; offset < WORD; ++offset) {~
        ${feature()}
    ~}
}
if (features % WORD > 0) {
    // The remaining features.
    const unsigned int word = features / WORD;
    const auto row_word = *(const td_vector<float, WORD> *)(row_words + word), column_word = *(const td_vector<float, WORD> *)(column_words + word);
#pragma unroll
    for (unsigned int offset = 0; offset < WORD - 1; ++offset) {
        if (offset < features % WORD) {~
            ${feature()}
        ~}
    }
}
${parts()}
${evaluate("i", "j", "@_all[i]", "@_all[j]")}
${append("i", "j")}
//% for result in row_results
${gather(result, result.name ~ "_row", "i", domain.rows)}
//% endfor
//% for result in column_results
${gather(result, result.name ~ "_col", "j", domain.columns)}
//% endfor
//% endmacro

//% macro feature()
//% if refine_uses_k
const unsigned int k = WORD * word + offset;
//% endif
${name}_feature(¶${refine_arguments});
//% endmacro
