// Stores the values of a row of threads as vectors, from the first thread's values at `slots` on. Each streaming store of
// the warp writes contiguous vectors, in whole sectors.
template <typename T, unsigned int count, unsigned int own>
static __device__ __forceinline__ void td_store_segment(T *const slots, const T (&values)[own], td_segment<T, count, own> &segment)
{
    if constexpr (td_segment<T, count, own>::is_used) {
        constexpr unsigned int vectors = sizeof(values) / 16, threads = count / own;
        uint4 mine[vectors];
        memcpy(mine, values, sizeof(values));
        __syncwarp(); // the previous row has been read
#pragma unroll
        for (unsigned int k = 0; k < vectors; ++k)
            segment.at(threadIdx.x * vectors + k) = mine[k];
        __syncwarp();
#pragma unroll
        for (unsigned int k = 0; k < vectors; ++k)
            __stcs((uint4 *)slots + threadIdx.x + k * threads, segment.at(threadIdx.x + k * threads));
    } else {
#pragma unroll
        for (unsigned int k = 0; k < own; ++k)
            slots[own * threadIdx.x + k] = values[k];
    }
}
