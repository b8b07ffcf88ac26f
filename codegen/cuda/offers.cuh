// The values that a pair offers to its two elements, i of the row and j of the column, or to both at once.
template <typename Value, typename Best>
struct td_offers {
    Best i;
    Best j;

    __device__ __forceinline__ void offer(const Value &value) const
    {
        i.offer(value);
        j.offer(value);
    }
};
