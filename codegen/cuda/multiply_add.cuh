// Products of tensor cores: 16-bit floats are multiplied, and the products are added up in 32-bit floats. bfloat16 has the
// exponent of a 32-bit float, the other type has more digits.
template <bool is_bfloat16>
struct td_multiply_add : td_tensor_core {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    // Multiplies 64 rows with 128 columns, over two words of each. The products replace the sums or are added to them.
    template <bool is_added>
    static __device__ __forceinline__ void multiply(float (&sums)[16][4], const unsigned int row, const unsigned int column)
    {
        if constexpr (is_bfloat16)
            TD_WGMMA("k16.f32.bf16.bf16", "+f", ", 1, 1, 0, 0");
        else
            TD_WGMMA("k16.f32.f16.f16", "+f", ", 1, 1, 0, 0");
    }
#else
    // Adds the products of 16 rows with 8 columns, over 16 numbers of each, to their sums: lane l has those of rows l / 4 and
    // l / 4 + 8 with columns 2 (l % 4) and 2 (l % 4) + 1.
    static __device__ __forceinline__ void multiply(
        float (&sums)[4], const unsigned int (&rows)[4], const unsigned int first, const unsigned int second)
    {
#ifdef __CUDA_ARCH__
        if constexpr (is_bfloat16)
            TD_MMA("m16n8k16.row.col.f32.bf16.bf16.f32", "+f");
        else
            TD_MMA("m16n8k16.row.col.f32.f16.f16.f32", "+f");
#else
        td_cpu::multiply<is_bfloat16>(sums, rows, first, second);
#endif
    }
#endif
};
