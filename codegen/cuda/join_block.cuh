// Joins the states of a block's threads, in the order of the threads. The first thread gets the result.
template <unsigned int warps, typename State>
static __device__ __forceinline__ State td_join_block(State state, State (&of_warps)[warps])
{
    const unsigned int thread = threadIdx.y * blockDim.x + threadIdx.x;
    state = td_join_warp(state);
    if (thread % 32 == 0)
        of_warps[thread / 32] = state;
    __syncthreads();
    if (thread == 0) {
#pragma unroll 1
        for (unsigned int warp = 1; warp < warps; ++warp)
            state = td_join(state, of_warps[warp]);
    }
    return state;
}
