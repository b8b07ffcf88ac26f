// Begins to copy 16 bytes to shared memory. From sm_80 on the copy is asynchronous, and uses no registers.
static __device__ __forceinline__ void td_copy(void *const to, const uint4 *const from)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned int)__cvta_generic_to_shared(to)), "l"(from) : "memory");
#else
    *(uint4 *)to = *from;
#endif
}

// Waits for all copies that this thread has begun.
static __device__ __forceinline__ void td_copied()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
