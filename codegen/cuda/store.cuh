// Whether four neighbours can be stored at once, from each fourth one on.
template <typename T>
static __device__ __forceinline__ bool td_is_aligned(const T *const slots)
{
    return (unsigned long long)slots % 16 == 0;
}

// Stores four neighbours, the first of them in a slot that a multiple of four comes before: at once, or in halves of
// 16 bytes, where their size allows. They are not read again here, and need not stay in the cache.
template <typename T>
static __device__ __forceinline__ void td_store(T *const slots, const T (&values)[4])
{
    if constexpr (sizeof(T) == 4) {
        __stcs((uint4 *)slots, *(const uint4 *)values);
    } else if constexpr (sizeof(T) == 8) {
        __stcs((uint4 *)slots, ((const uint4 *)values)[0]);
        __stcs((uint4 *)slots + 1, ((const uint4 *)values)[1]);
    } else if constexpr (sizeof(T) == 2) {
        __stcs((uint2 *)slots, *(const uint2 *)values);
    } else if constexpr (sizeof(T) == 1) {
        __stcs((unsigned int *)slots, *(const unsigned int *)values);
    } else {
        for (unsigned int next = 0; next < 4; ++next)
            slots[next] = values[next];
    }
}
