// The least value that pairs offer to one element, of those that a thread has seen, and the index of the other
// element. Of equal values the one with the smaller index is kept. NaNs are ignored. The largest number is
// no index: it stands for no partner.
template <typename T, typename Order>
struct td_nearest {
    T value = Order::last();
    unsigned int partner = 0xffffffff;

    __device__ __forceinline__ void offer(const T offered, const unsigned int index)
    {
        if (offered < value || (offered == value && index < partner)) {
            value = offered;
            partner = index;
        }
    }

    // Value and index in one word, so that atomics keep the greatest; 0 where there is none.
    __device__ __forceinline__ unsigned long long rank() const
    {
        return partner == 0xffffffff ? 0 : (unsigned long long)(~Order::rank(value)) << 32 | ~partner;
    }
};
