// Parts of a tile's rows and columns in shared memory, `words` of 16 bytes each. One warp fills them, and eight warps multiply.
// On sm_90 bulk copies complete on barriers in shared memory, and the filling warp is up to `stages` parts ahead. Elsewhere it is
// one part ahead, in two buffers, and all warps meet at the block's barrier.
template <unsigned int words, unsigned int stages>
struct td_product_stages {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    static constexpr unsigned int count = stages;
#else
    static constexpr unsigned int count = 2;
#endif
    uint4 *buffers;
    unsigned long long *full, *empty;
    unsigned int stage = 0, phase = 0;

    // By all threads of the block, before any other call.
    __device__ __forceinline__ void init(const unsigned int thread) const
    {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
        if (thread == 0) {
            for (unsigned int k = 0; k < stages; ++k) {
                asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address_of(full + k)) : "memory");
                asm volatile("mbarrier.init.shared::cta.b64 [%0], 2;" ::"r"(address_of(empty + k)) : "memory");
            }
            asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        }
        __syncthreads();
#endif
    }

    // By the filling warp: copies a part of the rows and one of the columns.
    __device__ __forceinline__ void fill(const uint4 *const rows, const uint4 *const columns, const unsigned int lane)
    {
        uint4 *const to = buffers + 2 * words * stage;
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
        if (lane == 0) {
            constexpr unsigned int bytes = 16 * words;
            wait_for(empty + stage, phase ^ 1);
            const unsigned int barrier = address_of(full + stage);
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(2 * bytes) : "memory");
            copy(to, rows, bytes, barrier);
            copy(to + words, columns, bytes, barrier);
        }
        advance();
#else
        for (unsigned int k = lane; k < words; k += 32) {
            td_copy_async(to + k, rows + k);
            td_copy_async(to + words + k, columns + k);
        }
        wait_for_copies();
        __syncthreads();
        advance();
#endif
    }

    // By the other warps: waits for the next part, whose rows are returned. Its columns follow.
    __device__ __forceinline__ const uint4 *wait() const
    {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
        wait_for(full + stage, phase);
#else
        __syncthreads();
#endif
        return buffers + 2 * words * stage;
    }

    // By the other warps: the part has been multiplied.
    __device__ __forceinline__ void release(const unsigned int thread)
    {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
        // One thread for the four warps that multiply together.
        if (thread % 128 == 0)
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address_of(empty + stage)) : "memory");
        advance();
#else
        advance();
#endif
    }

private:
    __device__ __forceinline__ void advance()
    {
        if (++stage == count) {
            stage = 0;
            phase ^= 1;
        }
    }

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    static __device__ __forceinline__ unsigned int address_of(const void *const shared)
    {
        return (unsigned int)__cvta_generic_to_shared(shared);
    }

    static __device__ __forceinline__ void wait_for(const unsigned long long *const barrier, const unsigned int parity)
    {
        unsigned int is_complete = 0;
        while (is_complete == 0)
            asm volatile("{ .reg .pred complete;"
                         " mbarrier.try_wait.parity.shared::cta.b64 complete, [%1], %2;"
                         " selp.u32 %0, 1, 0, complete; }"
                         : "=r"(is_complete)
                         : "r"(address_of(barrier)), "r"(parity)
                         : "memory");
    }

    static __device__ __forceinline__ void copy(uint4 *const to, const uint4 *const from, const unsigned int bytes, const unsigned int barrier)
    {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(address_of(to)),
                     "l"(from), "r"(bytes), "r"(barrier)
                     : "memory");
    }
#else
    static __device__ __forceinline__ void wait_for_copies()
    {
#ifdef __CUDA_ARCH__
        asm volatile("cp.async.wait_all;" ::: "memory");
#endif
    }
#endif
};
