// Joins the states of a warp's lanes, in their order. The first lane gets the result.
template <typename State>
static __device__ __forceinline__ State td_join_warp(State state)
{
    // The first lane joins those of itself and the next one, then those of the next two, and so on.
#pragma unroll 1
    for (unsigned int lanes = 1; lanes < 32; lanes *= 2)
        state = td_join(state, td_state_of_lane(state, lanes));
    return state;
}
