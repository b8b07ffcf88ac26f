// The block's dynamic shared memory: `count` words of 16 bytes.
template <unsigned int count>
static __device__ __forceinline__ uint4 *td_dynamic_shared()
{
#ifdef __CUDA_ARCH__
    extern __shared__ uint4 words[];
#else
    __shared__ uint4 words[count];
#endif
    return words;
}
