// Adds the values of all threads of a block to a slot of a total: by shuffles within each warp, through shared memory
// across the warps, then by one atomic, unless the sum is 0. CUDA's atomics of 64-bit integers are unsigned; in two's
// complement the sum is the same.
template <unsigned int warps, typename T, typename Slot>
static __device__ __forceinline__ void td_add_block(T value, T (&warp_sums)[warps], Slot *const slot)
{
    const unsigned int thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (unsigned int lanes = 16; lanes > 0; lanes /= 2)
        value += __shfl_down_sync(0xffffffff, value, lanes);
    if (thread % 32 == 0)
        warp_sums[thread / 32] = value;
    __syncthreads();
    if (thread < 32) {
        value = thread < warps ? warp_sums[thread] : 0;
        for (unsigned int lanes = 16; lanes > 0; lanes /= 2)
            value += __shfl_down_sync(0xffffffff, value, lanes);
        if (thread == 0 && value != 0)
            atomicAdd(slot, (Slot)value);
    }
}
