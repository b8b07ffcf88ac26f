// One of `count` elements, at random in the part `k` of as many parts as there are samples: coordinates may repeat at a distance.
static __device__ __forceinline__ unsigned int td_sampled(const unsigned int k, const unsigned int count, const unsigned int samples)
{
    const unsigned int offset = count > samples ? k * 2654435769u % (count / samples) : 0;
    return (unsigned int)((unsigned long long)count * k / min(count, samples)) + offset;
}
