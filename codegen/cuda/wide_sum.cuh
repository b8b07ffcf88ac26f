// A thread's part of the sums of an array's numbers.
template <typename T, unsigned int count, typename Total = T>
struct td_wide_sum {
    Total values[count]{};

    __device__ __forceinline__ Total &operator[](const unsigned int k) { return values[k]; }

    __device__ __forceinline__ void operator+=(const td_scaled<T, count> &term)
    {
#pragma unroll
        for (unsigned int k = 0; k < count; ++k)
            values[k] = td_fused((Total)term.weight, (Total)term.values[k], values[k]);
    }
    __device__ __forceinline__ void operator-=(const td_scaled<T, count> &term)
    {
#pragma unroll
        for (unsigned int k = 0; k < count; ++k)
            values[k] = td_fused(-(Total)term.weight, (Total)term.values[k], values[k]);
    }
    template <typename Array>
    __device__ __forceinline__ void operator+=(const Array &term)
    {
#pragma unroll
        for (unsigned int k = 0; k < count; ++k)
            values[k] += term.values[k];
    }
    template <typename Array>
    __device__ __forceinline__ void operator-=(const Array &term)
    {
#pragma unroll
        for (unsigned int k = 0; k < count; ++k)
            values[k] -= term.values[k];
    }
};
