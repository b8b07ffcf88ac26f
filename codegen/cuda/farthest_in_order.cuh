// The greatest value that pairs offer to one element, of those that a thread has seen, and the index of the other
// element. Pairs come in the order of that index, so that of equal values the one with the smaller index stays. NaNs
// are ignored: a NaN stands for no value, since the minimum and the maximum of CUDA pass over it.
template <typename T, typename Order>
struct td_farthest_in_order {
    T value = __uint_as_float(0x7fffffff);
    unsigned int partner = 0;

    __device__ __forceinline__ void offer(const T offered, const unsigned int index)
    {
        const T kept = fmaxf(value, offered);
        if (!(kept == value))
            partner = index;
        value = kept;
    }

    // Value and index in one word, so that atomics keep the greatest; 0 where there is none.
    __device__ __forceinline__ unsigned long long rank() const
    {
        return isnan(value) ? 0 : (unsigned long long)(Order::rank(value)) << 32 | ~partner;
    }
};
