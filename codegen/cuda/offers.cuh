// What a pair offers to its two elements, i of the row and j of the column, or to both at once.
template <typename Best>
struct td_offers {
    Best i;
    Best j;

    template <typename T>
    __device__ __forceinline__ void offer(const T &value) const
    {
        i.offer(value);
        j.offer(value);
    }
};
