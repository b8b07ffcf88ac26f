// The value that a cell of nearest neighbours stands for; where it is empty, the last of all.
static __device__ __forceinline__ unsigned int td_unsigned_bound(const unsigned long long cell)
{
    return ~(unsigned int)(cell >> 32);
}
