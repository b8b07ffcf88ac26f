// The row of block lambda; epsilon lifts roots that land just below a whole number.
static __device__ __forceinline__ unsigned int td_row(const unsigned int lambda, const float epsilon)
{
    return (unsigned int)(sqrtf(0.25f + 2.0f * lambda) - 0.5f + epsilon);
}
