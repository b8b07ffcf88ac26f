// The value of a cell of nearest neighbours; the largest value if it is empty.
static __device__ __forceinline__ int td_signed_bound(const unsigned long long cell)
{
    return (int)(~(unsigned int)(cell >> 32) ^ 1u << 31);
}
