// An element's state, to which a body joins the states of pairs.
template <typename State>
struct td_joined {
    State state;

    // A body that assigned a state would replace those of earlier pairs.
    void operator=(const td_joined &) = delete;

    __device__ __forceinline__ void join(const State &other) { state = td_join(state, other); }
};
