// Adds the products of a tile's rows and columns, over a part of 64 features that are 16-bit floats themselves, to their sums.
// Tensor cores truncate a sum at its last bit. So they add up one part, and floats add up the parts.
template <bool is_bfloat16>
static __device__ __forceinline__ void td_multiply_halves(
    float (&sums)[16][4], const uint4 *const rows, const uint4 *const columns)
{
    float products[16][4]{};
    td_multiply_part<td_multiply_add<is_bfloat16>>(products, rows, columns);
#pragma unroll
    for (unsigned int c = 0; c < 16; ++c) {
#pragma unroll
        for (unsigned int k = 0; k < 4; ++k)
            sums[c][k] += products[c][k];
    }
}
