// The greatest value that the pairs of a thread offer to one element. NaNs are ignored.
template <typename T, typename Order>
struct td_greatest {
    T value = Order::lowest();

    __device__ __forceinline__ void offer(const T offered) { value = max(value, offered); }

    // The rank of the value, so that atomics keep the greatest; an unused cell has 0.
    __device__ __forceinline__ auto rank() const { return Order::rank(value); }
};
