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
    td_phase_barrier *full, *empty;
    unsigned int stage = 0, phase = 0;

    // By all threads of the block, before any other call.
    __device__ __forceinline__ void init(const unsigned int thread) const
    {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
        if (thread == 0) {
            for (unsigned int k = 0; k < stages; ++k) {
                full[k].init(1);
                empty[k].init(2);
            }
            td_phase_barrier::fence();
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
            empty[stage].wait(phase + 1);
            full[stage].expect(2 * bytes);
            full[stage].copy(to, rows, bytes);
            full[stage].copy(to + words, columns, bytes);
        }
#else
        for (unsigned int k = lane; k < words; k += 32) {
            td_copy_async(to + k, rows + k);
            td_copy_async(to + words + k, columns + k);
        }
#ifdef __CUDA_ARCH__
        asm volatile("cp.async.wait_all;" ::: "memory");
#endif
        __syncthreads();
#endif
        advance();
    }

    // By the other warps: waits for the next part, whose rows are returned. Its columns follow.
    __device__ __forceinline__ const uint4 *wait() const
    {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
        full[stage].wait(phase);
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
            empty[stage].arrive();
#endif
        advance();
    }

private:
    __device__ __forceinline__ void advance()
    {
        if (++stage == count) {
            stage = 0;
            phase ^= 1;
        }
    }
};
