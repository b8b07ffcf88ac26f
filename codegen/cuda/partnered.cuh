// What a pair offers to one of its elements: a value, with the index of the other one.
template <typename Value, typename Best>
struct td_partnered {
    Best &best;
    unsigned int partner;

    __device__ __forceinline__ void offer(const Value value) const
    {
        best.offer(value, partner);
    }
};
