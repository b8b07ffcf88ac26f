// A thread's parts of the totals of an array's numbers.
template <typename Array, typename Part, unsigned int count>
struct td_totals {
    Part *parts[count];

    __device__ __forceinline__ Part &operator[](const unsigned int k) const { return *parts[k]; }

    __device__ __forceinline__ void operator+=(const Array &term) const { add(term); }
    __device__ __forceinline__ void operator-=(const Array &term) const { subtract(term); }
    // Products are separate overloads, so that a body may also write `{a, b, ...}`.
    template <typename T>
    __device__ __forceinline__ void operator+=(const td_scaled<T, count> &term) const
    {
        add(term);
    }
    template <typename T>
    __device__ __forceinline__ void operator-=(const td_scaled<T, count> &term) const
    {
        subtract(term);
    }

    template <typename Term>
    __device__ __forceinline__ void add(const Term &term) const
    {
#pragma unroll
        for (unsigned int k = 0; k < count; ++k)
            *parts[k] += term[k];
    }
    template <typename Term>
    __device__ __forceinline__ void subtract(const Term &term) const
    {
#pragma unroll
        for (unsigned int k = 0; k < count; ++k)
            *parts[k] -= term[k];
    }
};
