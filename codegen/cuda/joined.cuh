// An element's state, to which a body joins the states of pairs.
template <typename State>
struct td_joined {
    State state;

    __device__ __forceinline__ void join(const State &other) { state = td_join(state, other); }
};
