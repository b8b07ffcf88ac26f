// Stores neighbouring values as one vector. It is a streaming store: this kernel does not read the values again, so they
// need not stay in the cache.
template <typename Vector, typename T, unsigned int count>
static __device__ __forceinline__ void td_store(T *const slots, const T (&values)[count])
{
    static_assert(sizeof(Vector) == sizeof(values), "neighbours are one vector");
    Vector vector;
    memcpy(&vector, values, sizeof(vector));
    __stcs((Vector *)slots, vector);
}
