// Copies a part of a tile's columns, 16 KiB, and one of its rows, if given, to shared memory. From sm_90 on, one thread
// starts bulk copies, which complete on a barrier in shared memory. On older GPUs, all 256 threads of the block copy.
struct td_parts {
    unsigned long long *barrier;

    // Must be called before any copy, and followed by a barrier of the block.
    __device__ __forceinline__ void open(const unsigned int thread) const
    {
#if __CUDA_ARCH__ >= 900
        if (thread == 0) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"((unsigned int)__cvta_generic_to_shared(barrier)) : "memory");
            asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        }
#endif
    }

    __device__ __forceinline__ void begin(
        uint4 *const rows, const uint4 *const down, uint4 *const columns, const uint4 *const across, const unsigned int thread) const
    {
#if __CUDA_ARCH__ >= 900
        if (thread == 0) {
            const unsigned int told = __cvta_generic_to_shared(barrier);
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(told), "r"(down ? 32768 : 16384) : "memory");
            if (down)
                bring(rows, down, told);
            bring(columns, across, told);
        }
#else
        if (down)
            bring(rows, down, thread);
        bring(columns, across, thread);
#endif
    }

    // Waits for the parts of a step, and for the values that the thread has begun to copy.
    __device__ __forceinline__ void wait(const unsigned int step) const
    {
        td_copied();
#if __CUDA_ARCH__ >= 900
        unsigned int is_there = 0;
        while (is_there == 0)
            asm volatile("{ .reg .pred there;"
                         " mbarrier.try_wait.parity.shared::cta.b64 there, [%1], %2;"
                         " selp.u32 %0, 1, 0, there; }"
                         : "=r"(is_there)
                         : "r"((unsigned int)__cvta_generic_to_shared(barrier)), "r"(step % 2)
                         : "memory");
#endif
    }

private:
#if __CUDA_ARCH__ >= 900
    static __device__ __forceinline__ void bring(uint4 *const to, const uint4 *const from, const unsigned int told)
    {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16384, [%2];" ::"r"(
                         (unsigned int)__cvta_generic_to_shared(to)),
                     "l"(from), "r"(told)
                     : "memory");
    }
#else
    static __device__ __forceinline__ void bring(uint4 *const to, const uint4 *const from, const unsigned int thread)
    {
#pragma unroll
        for (unsigned int k = 0; k < 1024; k += 256)
            td_copy(to + k + thread, from + k + thread);
    }
#endif
};
