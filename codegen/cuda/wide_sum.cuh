// A thread's part of a sum of 32-bit integers, in 64 bits, so that a total too large for 32 is known.
template <typename T, typename Total>
struct td_wide_sum {
    Total value = 0;

    __device__ __forceinline__ void operator+=(const T term) { value += term; }
    __device__ __forceinline__ void operator-=(const T term) { value -= term; }
};
