// What products of floats and of integers on tensor cores have in common.
struct td_tensor_core {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    // On sm_90 both operands are in shared memory, and four warps multiply together.

    // Keeps the compiler from moving accesses to the sums across this point.
    static __device__ __forceinline__ void fence(float (&sums)[16][4])
    {
#pragma unroll
        for (unsigned int c = 0; c < 16; ++c)
            asm volatile("" : "+f"(sums[c][0]), "+f"(sums[c][1]), "+f"(sums[c][2]), "+f"(sums[c][3])::"memory");
    }
    static __device__ __forceinline__ void fence(int (&sums)[16][4])
    {
#pragma unroll
        for (unsigned int c = 0; c < 16; ++c)
            asm volatile("" : "+r"(sums[c][0]), "+r"(sums[c][1]), "+r"(sums[c][2]), "+r"(sums[c][3])::"memory");
    }

    // Before the first product of a group, and after its last one.
    template <typename Sum>
    static __device__ __forceinline__ void begin(Sum (&sums)[16][4])
    {
        fence(sums);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    }
    template <typename Sum>
    static __device__ __forceinline__ void end(Sum (&sums)[16][4])
    {
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        fence(sums);
    }

    // The descriptor of words in shared memory, without swizzling. In units of 16 bytes, a word of an element is 128 from its
    // next one, and eight elements are 8 from the next eight.
    static __device__ __forceinline__ unsigned long long operand(const unsigned int address)
    {
        constexpr unsigned int tile = 128, row_group = 8;
        return (unsigned long long)row_group << 32 | (tile << 16 | address);
    }

// Multiplies with the sums of 64 rows and 128 columns, in registers of this constraint. The products replace the sums or are added
// to them. `end` is the end of the instruction.
#define TD_WGMMA(types, constraint, end) \
    asm volatile( \
        "{ .reg .pred is_added; setp.ne.b32 is_added, %66, 0;\n" \
        "wgmma.mma_async.sync.aligned.m64n128" types " " \
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, " \
        "%64, %65, is_added" end "; }" \
        : TD_SUMS(constraint, 0), TD_SUMS(constraint, 4), TD_SUMS(constraint, 8), TD_SUMS(constraint, 12) \
        : "l"(operand(row)), "l"(operand(column)), "n"((int)is_added))
#define TD_SUMS(constraint, c) \
    TD_SUM(constraint, c), TD_SUM(constraint, c + 1), TD_SUM(constraint, c + 2), TD_SUM(constraint, c + 3)
#define TD_SUM(constraint, c) constraint(sums[c][0]), constraint(sums[c][1]), constraint(sums[c][2]), constraint(sums[c][3])
#else
    // Elsewhere a warp reads both operands from registers.

    // Reads four matrices of 8 rows of 16 bytes from shared memory: lane l passes the address of row l % 8 of matrix l / 8, and
    // receives the bytes 4 (l % 4) to 4 (l % 4) + 3 of row l / 4 of each.
    static __device__ __forceinline__ void load(unsigned int (&words)[4], const void *const row)
    {
#ifdef __CUDA_ARCH__
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                     : "r"((unsigned int)__cvta_generic_to_shared(row))
                     : "memory");
#else
        td_cpu::load_matrices(words, row);
#endif
    }

// Adds the products of 16 rows with 8 columns, over 32 bytes of each, to their sums, in registers of this constraint.
#define TD_MMA(types, constraint) \
    asm("mma.sync.aligned." types " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
        : constraint(sums[0]), constraint(sums[1]), constraint(sums[2]), constraint(sums[3]) \
        : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(first), "r"(second))
#endif
};
