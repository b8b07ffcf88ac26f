// The least value that the pairs of a thread offer to one element. NaNs are ignored.
template <typename T, typename Order>
struct td_least {
    T value = Order::highest();

    __device__ __forceinline__ void offer(const T offered) { value = min(value, offered); }

    // The rank of the value, counted from the last one, so that atomics keep the greatest; an unused cell has 0.
    __device__ __forceinline__ auto rank() const { return ~Order::rank(value); }
};
