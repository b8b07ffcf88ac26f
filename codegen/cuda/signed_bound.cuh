// The value that a cell of nearest neighbours stands for; where it is empty, the last of all.
static __device__ __forceinline__ int td_signed_bound(const unsigned long long cell)
{
    return (int)(~(unsigned int)(cell >> 32) ^ 1u << 31);
}
