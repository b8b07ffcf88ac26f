// Calls a function for two numbers, or for each component of two vectors or arrays.
template <unsigned int rank>
struct td_rank : td_rank<rank - 1> {
};

template <>
struct td_rank<0> {
};

template <typename F, typename T>
static __device__ __forceinline__ void td_for_each_number(const F &f, T &a, T &b, td_rank<0>)
{
    f(a, b);
}

template <typename F, typename T>
static __device__ __forceinline__ auto td_for_each_number(const F &f, T &a, T &b, td_rank<1>) -> decltype((void)a.y)
{
    static_assert(sizeof(T) == 2 * sizeof(a.x), "a member of a box must be a number, a vector or an array of numbers, not a struct");
    f(a.x, b.x);
    f(a.y, b.y);
}

template <typename F, typename T>
static __device__ __forceinline__ auto td_for_each_number(const F &f, T &a, T &b, td_rank<2>) -> decltype((void)a.z)
{
    static_assert(sizeof(T) == 3 * sizeof(a.x), "a member of a box must be a number, a vector or an array of numbers, not a struct");
    f(a.x, b.x);
    f(a.y, b.y);
    f(a.z, b.z);
}

template <typename F, typename T>
static __device__ __forceinline__ auto td_for_each_number(const F &f, T &a, T &b, td_rank<3>) -> decltype((void)a.w)
{
    static_assert(sizeof(T) == 4 * sizeof(a.x), "a member of a box must be a number, a vector or an array of numbers, not a struct");
    f(a.x, b.x);
    f(a.y, b.y);
    f(a.z, b.z);
    f(a.w, b.w);
}

template <typename F, typename T, unsigned int count>
static __device__ __forceinline__ void td_for_each_number(const F &f, T (&a)[count], T (&b)[count], td_rank<3>)
{
#pragma unroll
    for (unsigned int k = 0; k < count; ++k)
        td_for_each_number(f, a[k], b[k], td_rank<3>{});
}
