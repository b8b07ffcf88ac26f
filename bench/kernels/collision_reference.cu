// Lists the colliding spheres (x, y, z, radius) as plainly as possible: what the other kernels are
// checked against.

static __device__ __forceinline__ bool touch(const float4 a, const float4 b)
{
    const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, r = a.w + b.w;
    return dx * dx + dy * dy + dz * dz <= r * r;
}

// A place in the list for each pair. Few pairs touch, so an atomic for each of them costs little.
static __device__ __forceinline__ void push(uint2 *const list, unsigned long long *const count,
                                            const unsigned long long capacity,
                                            const unsigned int i, const unsigned int j)
{
    const unsigned long long place = atomicAdd(count, 1ull);
    if (place < capacity)
        list[place] = make_uint2(i, j);
}

extern "C" __global__ void __launch_bounds__(256)
collision_reference(const unsigned int n, const float4 *__restrict__ const spheres, uint2 *const list,
                    unsigned long long *const count, const unsigned long long capacity)
{
    const unsigned int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
    if (i < n && j < i && touch(spheres[i], spheres[j]))
        push(list, count, capacity, i, j);
}
