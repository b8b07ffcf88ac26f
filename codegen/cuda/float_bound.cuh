// The value of a cell of nearest neighbours; infinity if it is empty.
static __device__ __forceinline__ float td_float_bound(const unsigned long long cell)
{
    const unsigned int rank = ~(unsigned int)(cell >> 32);
    return __uint_as_float(cell == 0 ? 0x7f800000 : rank >> 31 ? rank ^ 1u << 31 : ~rank);
}
