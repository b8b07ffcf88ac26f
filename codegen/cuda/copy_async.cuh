// Starts an asynchronous copy into shared memory. A value that cp.async cannot copy is copied synchronously.
template <typename T>
static __device__ __forceinline__ void td_copy_async(T *const to, const T *const from)
{
#ifdef __CUDA_ARCH__
    const unsigned int address = __cvta_generic_to_shared(to);
    if constexpr (alignof(T) == 16 && sizeof(T) == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
        return;
    }
    if constexpr (alignof(T) == sizeof(T) && (sizeof(T) == 4 || sizeof(T) == 8)) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(address), "l"(from), "n"(sizeof(T)) : "memory");
        return;
    }
#endif
    *to = *from;
}
