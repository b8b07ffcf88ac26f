// Waits for all asynchronous copies of the thread.
static __device__ __forceinline__ void td_wait_for_copies()
{
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
