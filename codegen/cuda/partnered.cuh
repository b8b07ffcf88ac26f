// What a pair offers to one of its elements: a value, with the index of the other one.
template <typename Best>
struct td_partnered {
    Best &best;
    unsigned int partner;

    template <typename T>
    __device__ __forceinline__ void offer(const T value) const
    {
        best.offer(value, partner);
    }
};
