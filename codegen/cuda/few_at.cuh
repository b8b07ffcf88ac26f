// The few values that begin here: at a multiple of their number from the first one.
template <unsigned int count, typename T>
static __device__ __forceinline__ td_few<T, count> td_few_at(const T *const values)
{
    return *(const td_few<T, count> *)values;
}
