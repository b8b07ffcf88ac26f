// Joins two states by the prelude's function, which is found by the type of its arguments.
template <typename State>
static __device__ __forceinline__ State td_join(const State &one, const State &other)
{
    return join(one, other);
}
