// Stores neighbours as one vector. They are not read again here, and need not stay in the cache.
template <typename Vector, typename T, unsigned int count>
static __device__ __forceinline__ void td_store(T *const slots, const T (&values)[count])
{
    static_assert(sizeof(Vector) == sizeof(values), "neighbours are one vector");
    Vector vector;
    memcpy(&vector, values, sizeof(vector));
    __stcs((Vector *)slots, vector);
}
