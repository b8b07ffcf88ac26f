// The pairs of a list by element: the partners of each element, in two runs.

// Counts the partners of each element: ends[i].x of the pairs in which it is i, ends[j].y of those in which it is j.
extern "C" __global__ void __launch_bounds__(128, 1) td_partners_count(
    const unsigned int *const __restrict__ given_i,
    const unsigned int *const __restrict__ given_j,
    const unsigned long long step,
    const unsigned long long entries,
    uint2 *const ends)
{
    const unsigned long long stride = 128ull * gridDim.x;
    for (unsigned long long entry = 128ull * blockIdx.x + 32 * threadIdx.y + threadIdx.x; entry < entries; entry += stride) {
        atomicAdd(&ends[given_i[step * entry]].x, 1u);
        atomicAdd(&ends[given_j[step * entry]].y, 1u);
    }
}

// Reserves memory for each element's partners; the elements of a warp are adjacent. `ends` then has the start of each of the two
// runs.
extern "C" __global__ void __launch_bounds__(128, 1) td_partners_offsets(
    const unsigned int elements, unsigned int *const total, unsigned int *const starts, uint2 *const ends)
{
    const unsigned int element = 128 * blockIdx.x + 32 * threadIdx.y + threadIdx.x, lane = threadIdx.x;
    const uint2 count = element < elements ? ends[element] : make_uint2(0, 0);
    unsigned int end = count.x + count.y;
    for (unsigned int lanes = 1; lanes < 32; lanes *= 2) {
        const unsigned int before = __shfl_up_sync(0xffffffff, end, lanes);
        if (lane >= lanes)
            end += before;
    }
    unsigned int base = 0;
    if (lane == 31)
        base = atomicAdd(total, end);
    base = __shfl_sync(0xffffffff, base, 31);
    if (element < elements) {
        const unsigned int start = base + end - count.x - count.y;
        starts[element] = start;
        ends[element] = make_uint2(start, start + count.x);
    }
}

// Stores the partners. `ends` then has the end of each of the two runs.
extern "C" __global__ void __launch_bounds__(128, 1) td_partners_fill(
    const unsigned int *const __restrict__ given_i,
    const unsigned int *const __restrict__ given_j,
    const unsigned long long step,
    const unsigned long long entries,
    uint2 *const ends,
    unsigned int *const partners)
{
    const unsigned long long stride = 128ull * gridDim.x;
    for (unsigned long long entry = 128ull * blockIdx.x + 32 * threadIdx.y + threadIdx.x; entry < entries; entry += stride) {
        const unsigned int i = given_i[step * entry], j = given_j[step * entry];
        partners[atomicAdd(&ends[i].x, 1u)] = j;
        partners[atomicAdd(&ends[j].y, 1u)] = i;
    }
}
