// The value that a pair offers to one of its elements, with the index of the other element.
template <typename Value, typename Best>
struct td_offer_with_index {
    Best &best;
    unsigned int partner;

    __device__ __forceinline__ void offer(const Value value) const
    {
        best.offer(value, partner);
    }
};
