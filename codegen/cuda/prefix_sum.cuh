// The sum of the numbers of a warp's lanes up to this one.
static __device__ __forceinline__ unsigned int td_prefix_sum(const unsigned int value)
{
    unsigned int end = value;
#pragma unroll
    for (unsigned int lanes = 1; lanes < 32; lanes *= 2) {
        const unsigned int previous = __shfl_up_sync(0xffffffff, end, lanes);
        if (threadIdx.x % 32 >= lanes)
            end += previous;
    }
    return end;
}
