// Copies a part of a tile's columns, `words` of 16 bytes, and one of its rows, if given, to shared memory. From sm_90 on, one
// thread starts bulk copies, which complete on a barrier in shared memory. On older GPUs, all `threads` of the block copy.
template <unsigned int words, unsigned int threads>
struct td_part_copies {
    unsigned long long *barrier;

    // Must be called before any copy, and followed by a barrier of the block.
    __device__ __forceinline__ void init(const unsigned int thread) const
    {
#if __CUDA_ARCH__ >= 900
        if (thread == 0) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"((unsigned int)__cvta_generic_to_shared(barrier)) : "memory");
            asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        }
#endif
    }

    __device__ __forceinline__ void start(
        uint4 *const row_buffer, const uint4 *const row_source, uint4 *const column_buffer, const uint4 *const column_source, const unsigned int thread) const
    {
#if __CUDA_ARCH__ >= 900
        if (thread == 0) {
            constexpr unsigned int bytes = 16 * words;
            const unsigned int mbarrier = __cvta_generic_to_shared(barrier);
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(mbarrier), "r"(row_source ? 2 * bytes : bytes) : "memory");
            if (row_source)
                copy_part(row_buffer, row_source, mbarrier);
            copy_part(column_buffer, column_source, mbarrier);
        }
#else
        if (row_source)
            copy_part(row_buffer, row_source, thread);
        copy_part(column_buffer, column_source, thread);
#endif
    }

    // Waits for the parts of a step, and for the values that the thread has begun to copy.
    __device__ __forceinline__ void wait(const unsigned int step) const
    {
        td_wait_for_copies();
#if __CUDA_ARCH__ >= 900
        unsigned int is_complete = 0;
        while (is_complete == 0)
            asm volatile("{ .reg .pred complete;"
                         " mbarrier.try_wait.parity.shared::cta.b64 complete, [%1], %2;"
                         " selp.u32 %0, 1, 0, complete; }"
                         : "=r"(is_complete)
                         : "r"((unsigned int)__cvta_generic_to_shared(barrier)), "r"(step % 2)
                         : "memory");
#endif
    }

private:
#if __CUDA_ARCH__ >= 900
    static __device__ __forceinline__ void copy_part(uint4 *const to, const uint4 *const from, const unsigned int mbarrier)
    {
        constexpr unsigned int bytes = 16 * words;
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         (unsigned int)__cvta_generic_to_shared(to)),
                     "l"(from), "n"(bytes), "r"(mbarrier)
                     : "memory");
    }
#else
    static __device__ __forceinline__ void copy_part(uint4 *const to, const uint4 *const from, const unsigned int thread)
    {
#pragma unroll
        for (unsigned int k = 0; k < words; k += threads)
            td_copy_async(to + k + thread, from + k + thread);
    }
#endif
};
