// Begins to copy 16 bytes into shared memory.
static __device__ __forceinline__ void td_copy(void *const to, const void *const from)
{
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned int)__cvta_generic_to_shared(to)), "l"(from)
                 : "memory");
#else
    td_cpu::copy(to, from);
#endif
}

// Waits until all that the thread has begun to copy is there.
static __device__ __forceinline__ void td_copied()
{
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// Reads four matrices of 8 x 8 bfloat16 from shared memory: lane l tells where row l % 8 of matrix l / 8 is, and gets the
// numbers 2 (l % 4) and 2 (l % 4) + 1 of row l / 4 of each.
static __device__ __forceinline__ void td_load_matrices(unsigned int (&words)[4], const void *const row)
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

// Adds the products of 16 rows with 8 columns, over 16 numbers of each, to their sums, by a warp: lane l has those of rows l / 4
// and l / 4 + 8 with columns 2 (l % 4) and 2 (l % 4) + 1.
static __device__ __forceinline__ void td_multiply(
    float (&sums)[4], const unsigned int (&rows)[4], const unsigned int low, const unsigned int high)
{
#ifdef __CUDA_ARCH__
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(low), "r"(high));
#else
    td_cpu::multiply(sums, rows, low, high);
#endif
}
