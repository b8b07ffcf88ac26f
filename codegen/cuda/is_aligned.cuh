// Whether vector stores can begin here: a view of memory can start at any address.
template <typename T>
static __device__ __forceinline__ bool td_is_aligned(const T *const slots)
{
    return (unsigned long long)slots % 16 == 0;
}
