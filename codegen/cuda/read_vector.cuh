// Reads a few neighbouring values at once.
template <unsigned int count, typename T>
static __device__ __forceinline__ void td_read_vector(T *const values, const T *const from)
{
    const td_vector<T, count> vector = *(const td_vector<T, count> *)from;
#pragma unroll
    for (unsigned int k = 0; k < count; ++k)
        values[k] = vector.value[k];
}
