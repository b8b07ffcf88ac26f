// A thread's part of the sums of an array's numbers.
template <typename T, unsigned int count, typename Total = T>
struct td_wide_sum {
    Total values[count]{};

    __device__ __forceinline__ Total &operator[](const unsigned int k) { return values[k]; }

    // A product with numbers of another type is rounded once too. Arrays of another length do not compile.
    template <typename U>
    __device__ __forceinline__ void operator+=(const td_scaled<U, count> &term)
    {
#pragma unroll
        for (unsigned int k = 0; k < count; ++k)
            values[k] = td_fused((Total)term.weight, (Total)term.values[k], values[k]);
    }
    template <typename U>
    __device__ __forceinline__ void operator-=(const td_scaled<U, count> &term)
    {
#pragma unroll
        for (unsigned int k = 0; k < count; ++k)
            values[k] = td_fused(-(Total)term.weight, (Total)term.values[k], values[k]);
    }
    template <typename U>
    __device__ __forceinline__ void operator+=(const td_wide<U, count> &term)
    {
        add(term.values);
    }
    template <typename U>
    __device__ __forceinline__ void operator-=(const td_wide<U, count> &term)
    {
#pragma unroll
        for (unsigned int k = 0; k < count; ++k)
            values[k] -= term.values[k];
    }
    template <typename U, typename V>
    __device__ __forceinline__ void operator+=(const td_wide_sum<U, count, V> &other)
    {
        add(other.values);
    }

    template <typename U>
    __device__ __forceinline__ void add(const U (&terms)[count])
    {
#pragma unroll
        for (unsigned int k = 0; k < count; ++k)
            values[k] += terms[k];
    }
};
