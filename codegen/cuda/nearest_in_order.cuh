// The least value that the pairs of a thread offer to one element, and the index of the other element. Pairs come in
// the order of that index, so if values are equal, the smaller index is kept. NaNs are ignored: a NaN stands for a missing
// value, because CUDA's minimum and maximum skip it.
template <typename T, typename Order>
struct td_nearest_in_order {
    T value = __uint_as_float(0x7fffffff);
    unsigned int partner = 0;

    __device__ __forceinline__ void offer(const T offered, const unsigned int index)
    {
        const T best = fminf(value, offered);
        if (!(best == value))
            partner = index;
        value = best;
    }

    // Value and index in one word, so that atomics keep the greatest; 0 without a value.
    __device__ __forceinline__ unsigned long long rank() const
    {
        return isnan(value) ? 0 : (unsigned long long)(~Order::rank(value)) << 32 | ~partner;
    }
};
