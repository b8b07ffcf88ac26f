// The greatest value that pairs offer to one element, of those that a thread has seen, and the index of the other
// element. Pairs come in the order of that index, so that of equal values the one with the smaller index stays. What
// is no number is not taken, nor is the first of all values, which stands for none.
template <typename T, typename Order>
struct td_farthest_in_order {
    T value = Order::first();
    unsigned int partner = 0;

    __device__ __forceinline__ void offer(const T offered, const unsigned int index)
    {
        if (offered > value) {
            value = offered;
            partner = index;
        }
    }

    // Value and index in one word, so that atomics keep the greatest; 0 where there is none.
    __device__ __forceinline__ unsigned long long rank() const
    {
        return value == Order::first() ? 0 : (unsigned long long)(Order::rank(value)) << 32 | ~partner;
    }
};
