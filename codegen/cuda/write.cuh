// Writes a few neighbouring values at once.
template <unsigned int count, typename T>
static __device__ __forceinline__ void td_write(T *const to, const T *const values)
{
    td_few<T, count> few;
#pragma unroll
    for (unsigned int k = 0; k < count; ++k)
        few.value[k] = values[k];
    *(td_few<T, count> *)to = few;
}
