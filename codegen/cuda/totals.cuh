// A thread's parts of the totals of an array's numbers.
template <typename T, typename Part, unsigned int count>
struct td_totals {
    Part *parts[count];

    __device__ __forceinline__ Part &operator[](const unsigned int k) const { return *parts[k]; }

    // A body may also write `{a, b, ...}`.
    __device__ __forceinline__ void operator+=(const td_wide<T, count> &term) const { add(1, term.values); }
    __device__ __forceinline__ void operator-=(const td_wide<T, count> &term) const { add(-1, term.values); }
    // Numbers of another type are converted before they are multiplied.
    template <typename U>
    __device__ __forceinline__ void operator+=(const td_wide<U, count> &term) const
    {
        add(1, term.values);
    }
    template <typename U>
    __device__ __forceinline__ void operator-=(const td_wide<U, count> &term) const
    {
        add(-1, term.values);
    }
    template <typename U>
    __device__ __forceinline__ void operator+=(const td_scaled<U, count> &term) const
    {
        add((T)term.weight, term.values);
    }
    template <typename U>
    __device__ __forceinline__ void operator-=(const td_scaled<U, count> &term) const
    {
        add(-(T)term.weight, term.values);
    }

    template <typename U>
    __device__ __forceinline__ void add(const T weight, const U (&terms)[count]) const
    {
#pragma unroll
        for (unsigned int k = 0; k < count; ++k)
            *parts[k] += weight * (T)terms[k];
    }
};
