// Adds the products of a tile's 128 rows and columns, over a part of 32 features of each, to their sums, by eight warps. The
// features are split into two 16-bit floats, high and low: high high' + high low' + low high'. What is left out is 2^-22 of a
// product. A part has the high halves of the first eight features of all elements, then of their next eight, and so on, and then
// the low halves. Warp w has rows 16 w to 16 w + 15, of which lane l has the sums [c][2 r + k] of row l / 4 + 8 r with column
// 8 c + 2 (l % 4) + k. Tensor cores truncate a sum at its last bit. So they add up one part, the small products first, and floats
// add up the parts.
static __device__ __forceinline__ void td_multiply_split(
    float (&sums)[16][4], const uint4 *const rows, const uint4 *const columns)
{
    using tensor_core = td_multiply_add<false>;
    constexpr unsigned int tile = 128, words = 4, low = words * tile;
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    // The rows of four warps. The shuffle makes them uniform in a warp for the compiler.
    constexpr unsigned int warpgroup_rows = 64;
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(rows) / 16 + threadIdx.y / 4 * warpgroup_rows;
    const unsigned int row = __shfl_sync(0xffffffff, address, 0);
    const unsigned int column = (unsigned int)__cvta_generic_to_shared(columns) / 16;
    float products[16][4];
    tensor_core::begin(products);
    tensor_core::multiply<false>(products, row + low, column);
    tensor_core::multiply<true>(products, row + low + 2 * tile, column + 2 * tile);
    tensor_core::multiply<true>(products, row, column + low);
    tensor_core::multiply<true>(products, row + 2 * tile, column + low + 2 * tile);
    tensor_core::multiply<true>(products, row, column);
    tensor_core::multiply<true>(products, row + 2 * tile, column + 2 * tile);
    tensor_core::end(products);
#pragma unroll
    for (unsigned int c = 0; c < 16; ++c) {
#pragma unroll
        for (unsigned int k = 0; k < 4; ++k)
            sums[c][k] += products[c][k];
    }
#else
    // Eight columns at a time.
    constexpr unsigned int warp_rows = 16;
    const unsigned int lane = threadIdx.x, warp = threadIdx.y;
    unsigned int row_high[words / 2][4], row_low[words / 2][4];
#pragma unroll
    for (unsigned int step = 0; step < words / 2; ++step) {
        const uint4 *const row = rows + tile * (2 * step + lane / 16) + warp_rows * warp + lane % 16;
        tensor_core::load(row_high[step], row);
        tensor_core::load(row_low[step], row + low);
    }
#pragma unroll
    for (unsigned int c = 0; c < 16; ++c) {
        // The four words of a column are the operands of both steps.
        unsigned int column_high[4], column_low[4];
        const uint4 *const column = columns + tile * (lane / 8) + 8 * c + lane % 8;
        tensor_core::load(column_high, column);
        tensor_core::load(column_low, column + low);
        float products[4]{};
#pragma unroll
        for (unsigned int step = 0; step < words / 2; ++step) {
            tensor_core::multiply(products, row_low[step], column_high[2 * step], column_high[2 * step + 1]);
            tensor_core::multiply(products, row_high[step], column_low[2 * step], column_low[2 * step + 1]);
        }
#pragma unroll
        for (unsigned int step = 0; step < words / 2; ++step)
            tensor_core::multiply(products, row_high[step], column_high[2 * step], column_high[2 * step + 1]);
#pragma unroll
        for (unsigned int k = 0; k < 4; ++k)
            sums[c][k] += products[k];
    }
#endif
}
