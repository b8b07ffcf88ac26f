// The state of the lane that is so many lanes above; of the last lanes their own.
template <typename State>
static __device__ __forceinline__ State td_state_of_lane(const State &state, const unsigned int lanes)
{
    constexpr unsigned int WORDS = (sizeof(State) + 3) / 4;
    unsigned int words[WORDS] = {};
    memcpy(words, &state, sizeof(State));
#pragma unroll
    for (unsigned int k = 0; k < WORDS; ++k)
        words[k] = __shfl_down_sync(0xffffffff, words[k], lanes);
    State moved;
    memcpy(&moved, words, sizeof(State));
    return moved;
}
