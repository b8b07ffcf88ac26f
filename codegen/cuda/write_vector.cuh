// Writes a few neighbouring values at once.
template <unsigned int count, typename T>
static __device__ __forceinline__ void td_write_vector(T *const to, const T *const values)
{
    td_vector<T, count> vector;
#pragma unroll
    for (unsigned int k = 0; k < count; ++k)
        vector.value[k] = values[k];
    *(td_vector<T, count> *)to = vector;
}
