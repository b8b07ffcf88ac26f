// Adds the products of a tile's 128 rows and columns, over parts of 128 bytes of each, to their sums, by eight warps. A part has
// the first 16 bytes of all elements, then their next 16. Warp w has rows 16 w to 16 w + 15, of which lane l has the sums
// [c][2 r + k] of row l / 4 + 8 r with column 8 c + 2 (l % 4) + k.
template <typename tensor_core, unsigned int parts = 1, typename Sum>
static __device__ __forceinline__ void td_multiply_part(
    Sum (&sums)[16][4], const uint4 *const rows, const uint4 *const columns)
{
    constexpr unsigned int tile = 128, words = 8 * parts;
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    // The rows of four warps. The shuffle makes them uniform in a warp for the compiler.
    constexpr unsigned int warpgroup_rows = 64;
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(rows) / 16 + threadIdx.y / 4 * warpgroup_rows;
    const unsigned int row = __shfl_sync(0xffffffff, address, 0);
    const unsigned int column = (unsigned int)__cvta_generic_to_shared(columns) / 16;
    tensor_core::begin(sums);
#pragma unroll
    for (unsigned int word = 0; word < words; word += 2)
        tensor_core::template multiply<true>(sums, row + tile * word, column + tile * word);
    tensor_core::end(sums);
#else
    // Two groups of eight columns at a time.
    constexpr unsigned int warp_rows = 16;
    const unsigned int lane = threadIdx.x, warp = threadIdx.y;
#pragma unroll
    for (unsigned int word = 0; word < words; word += 2) {
        unsigned int row_fragment[4];
        tensor_core::load(row_fragment, rows + tile * (word + lane / 16) + warp_rows * warp + lane % 16);
#pragma unroll
        for (unsigned int c = 0; c < 16; c += 2) {
            unsigned int column_fragments[4];
            tensor_core::load(column_fragments, columns + tile * (word + lane / 8 % 2) + 8 * c + lane / 16 * 8 + lane % 8);
            tensor_core::multiply(sums[c], row_fragment, column_fragments[0], column_fragments[1]);
            tensor_core::multiply(sums[c + 1], row_fragment, column_fragments[2], column_fragments[3]);
        }
    }
#endif
}
