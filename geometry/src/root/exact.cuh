// Blocks are counted in 32 bits. A launch of 65,535 * 65,536 / 2 blocks or more defines TD_WIDE.
#ifdef TD_WIDE
typedef unsigned long long td_lambda;
typedef double td_real;
#else
typedef unsigned int td_lambda;
typedef float td_real;
#endif

// The row of block lambda: an estimate, at most one row off, corrected in integers.
static __device__ __forceinline__ unsigned int td_row(const td_lambda lambda)
{
    td_lambda row = (td_lambda)(sqrt(td_real(0.25) + 2 * (td_real)lambda) - td_real(0.5));
    if (row * (row + 1) / 2 > lambda)
        --row;
    else if ((row + 1) * (row + 2) / 2 <= lambda)
        ++row;
    return row;
}
