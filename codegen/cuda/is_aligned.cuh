// Whether vector stores can begin here: a view into memory may start anywhere.
template <typename T>
static __device__ __forceinline__ bool td_is_aligned(const T *const slots)
{
    return (unsigned long long)slots % 16 == 0;
}
