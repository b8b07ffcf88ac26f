// A thread's part of a sum. Integers are added up in 64 bits, so that a sum too large for its type is detected.
template <typename T, typename Total = T>
struct td_sum {
    Total value = 0;

    __device__ __forceinline__ void operator+=(const T term) { value += term; }
    __device__ __forceinline__ void operator-=(const T term) { value -= term; }
};
