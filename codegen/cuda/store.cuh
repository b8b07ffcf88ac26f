// Stores neighbours as one vector. They are not read again here, and need not stay in the cache.
template <typename T, unsigned int count>
static __device__ __forceinline__ void td_store(T *const slots, const T (&values)[count])
{
    static_assert(sizeof(values) == 16 || sizeof(values) == 8 || sizeof(values) == 4, "the size of a vector");
    if constexpr (sizeof(values) == 16) {
        uint4 vector;
        memcpy(&vector, values, 16);
        __stcs((uint4 *)slots, vector);
    } else if constexpr (sizeof(values) == 8) {
        uint2 vector;
        memcpy(&vector, values, 8);
        __stcs((uint2 *)slots, vector);
    } else {
        unsigned int vector;
        memcpy(&vector, values, 4);
        __stcs((unsigned int *)slots, vector);
    }
}
