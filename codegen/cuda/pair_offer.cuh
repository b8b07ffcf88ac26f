// Takes the value that a pair offers.
template <typename Best, typename T>
struct td_pair_offer {
    Best &best;
    unsigned int i, j;

    __device__ __forceinline__ void offer(const T value) const { best.offer(value, i, j); }
};
