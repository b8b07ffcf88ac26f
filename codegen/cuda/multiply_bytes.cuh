// Products of tensor cores: signed or unsigned 8-bit integers are multiplied, and the products are added up in 32-bit integers.
template <typename Byte>
struct td_multiply_bytes : td_tensor_core {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    // Multiplies 64 rows with 128 columns, over two words of each. The products replace the sums or are added to them.
    template <bool is_added>
    static __device__ __forceinline__ void multiply(int (&sums)[16][4], const unsigned int row, const unsigned int column)
    {
        if constexpr ((Byte)-1 < 0)
            TD_WGMMA("k32.s32.s8.s8", "+r", "");
        else
            TD_WGMMA("k32.s32.u8.u8", "+r", "");
    }
#else
    // Adds the products of 16 rows with 8 columns, over 32 numbers of each, to their sums: lane l has those of rows l / 4 and
    // l / 4 + 8 with columns 2 (l % 4) and 2 (l % 4) + 1.
    static __device__ __forceinline__ void multiply(
        int (&sums)[4], const unsigned int (&rows)[4], const unsigned int first, const unsigned int second)
    {
#ifdef __CUDA_ARCH__
        if constexpr ((Byte)-1 < 0)
            TD_MMA("m16n8k32.row.col.s32.s8.s8.s32", "+r");
        else
            TD_MMA("m16n8k32.row.col.s32.u8.u8.s32", "+r");
#else
        td_cpu::multiply_bytes<Byte>(sums, rows, first, second);
#endif
    }
#endif
};
