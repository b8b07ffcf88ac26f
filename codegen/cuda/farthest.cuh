// The greatest value that the pairs of a thread offer to one element, and the index of the other element. If values are
// equal, the smaller index is kept. NaNs are ignored. The largest number is not an index: it stands for a missing
// partner.
template <typename T, typename Order>
struct td_farthest {
    T value = Order::lowest();
    unsigned int partner = 0xffffffff;

    __device__ __forceinline__ void offer(const T offered, const unsigned int index)
    {
        if (offered > value || (offered == value && index < partner)) {
            value = offered;
            partner = index;
        }
    }

    // Value and index in one word, so that atomics keep the greatest; 0 without a value.
    __device__ __forceinline__ unsigned long long rank() const
    {
        return partner == 0xffffffff ? 0 : (unsigned long long)(Order::rank(value)) << 32 | ~partner;
    }
};
