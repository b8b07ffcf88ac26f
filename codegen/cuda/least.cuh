// The least value that pairs offer to one element, of those that a thread has seen. NaNs are ignored.
template <typename T, typename Order>
struct td_least {
    T value = Order::last();

    __device__ __forceinline__ void offer(const T offered) { value = min(value, offered); }

    // Where the value stands, counted from the last one, so that atomics keep the greatest; an untouched cell has 0.
    __device__ __forceinline__ auto rank() const { return ~Order::rank(value); }
};
