// Stores the values of a row of threads as vectors, from the first thread's values at `slots` on. Each streaming store of
// the warp writes contiguous vectors, in whole sectors.
template <typename T, unsigned int count, unsigned int per_thread>
static __device__ __forceinline__ void td_store_segment(T *const slots, const T (&values)[per_thread], td_segment<T, count, per_thread> &segment)
{
    if constexpr (td_segment<T, count, per_thread>::is_used) {
        constexpr unsigned int vectors = sizeof(values) / 16, threads = count / per_thread;
        uint4 registers[vectors];
        memcpy(registers, values, sizeof(values));
        __syncwarp(); // the previous row has been read
#pragma unroll
        for (unsigned int k = 0; k < vectors; ++k)
            segment.at(threadIdx.x * vectors + k) = registers[k];
        __syncwarp();
#pragma unroll
        for (unsigned int k = 0; k < vectors; ++k)
            __stcs((uint4 *)slots + threadIdx.x + k * threads, segment.at(threadIdx.x + k * threads));
    } else {
#pragma unroll
        for (unsigned int k = 0; k < per_thread; ++k)
            slots[per_thread * threadIdx.x + k] = values[k];
    }
}
