// Copies some parts of a tile's columns, each `words` of 16 bytes, and as many of its rows, if given, to shared memory. From sm_90
// on, one thread starts bulk copies, which complete on a barrier in shared memory. On older GPUs, all `threads` of the block copy.
template <unsigned int words, unsigned int threads>
struct td_part_copies {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    static constexpr unsigned int most = 2;
#else
    static constexpr unsigned int most = 1;
#endif
    td_phase_barrier *barrier;

    // Must be called before any copy, and followed by a barrier of the block.
    __device__ __forceinline__ void init(const unsigned int thread) const
    {
#if __CUDA_ARCH__ >= 900
        if (thread == 0) {
            barrier->init(1);
            td_phase_barrier::fence();
        }
#endif
    }

    __device__ __forceinline__ void start(
        uint4 *const row_buffer, const uint4 *const row_source, uint4 *const column_buffer, const uint4 *const column_source, const unsigned int parts,
        const unsigned int thread) const
    {
#if __CUDA_ARCH__ >= 900
        if (thread == 0) {
            const unsigned int bytes = 16 * words * parts;
            barrier->expect(row_source ? 2 * bytes : bytes);
            if (row_source)
                barrier->copy(row_buffer, row_source, bytes);
            barrier->copy(column_buffer, column_source, bytes);
        }
#else
#pragma unroll
        for (unsigned int k = 0; k < words * parts; k += threads) {
            if (row_source)
                td_copy_async(row_buffer + k + thread, row_source + k + thread);
            td_copy_async(column_buffer + k + thread, column_source + k + thread);
        }
#endif
    }

    // Waits for the copies with this number, and for the values that the thread has begun to copy.
    __device__ __forceinline__ void wait(const unsigned int turn) const
    {
        td_wait_for_copies();
#if __CUDA_ARCH__ >= 900
        barrier->wait(turn);
#endif
    }
};
