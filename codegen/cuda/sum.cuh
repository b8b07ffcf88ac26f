// A thread's part of a sum.
template <typename T>
struct td_sum {
    T value = 0;

    __device__ __forceinline__ void operator+=(const T term) { value += term; }
    __device__ __forceinline__ void operator-=(const T term) { value -= term; }
};
