// The row of block lambda: a float estimate, at most one row off, repaired with integers.
static __device__ __forceinline__ unsigned int td_row(const unsigned int lambda)
{
    unsigned int row = (unsigned int)(sqrtf(0.25f + 2.0f * lambda) - 0.5f);
    if (row * (row + 1) / 2 > lambda)
        --row;
    else if ((row + 1) * (row + 2) / 2 <= lambda)
        ++row;
    return row;
}
