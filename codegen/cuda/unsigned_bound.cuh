// The value of a cell of nearest neighbours; the largest value if it is empty.
static __device__ __forceinline__ unsigned int td_unsigned_bound(const unsigned long long cell)
{
    return ~(unsigned int)(cell >> 32);
}
