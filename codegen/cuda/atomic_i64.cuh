// CUDA adds 64-bit integers atomically as unsigned ones; two's complement makes the sum the same.
static __device__ __forceinline__ void atomicAdd(long long *const total, const long long value)
{
    atomicAdd((unsigned long long *)total, (unsigned long long)value);
}
