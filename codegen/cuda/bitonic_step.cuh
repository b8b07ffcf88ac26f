// One step of a bitonic sort by a warp, in which each lane has several adjacent cells. Runs of `size` cells are alternately
// ascending and descending.
template <unsigned int count>
static __device__ __forceinline__ void td_bitonic_step(
    unsigned long long (&cells)[count], const unsigned int size, const unsigned int step)
{
    const unsigned int first_cell = count * threadIdx.x;
#pragma unroll
    for (unsigned int k = 0; k < count; ++k) {
        const bool is_ascending = ((first_cell + k) & size) == 0;
        if (step >= count) {
            const unsigned long long other = __shfl_xor_sync(0xffffffff, cells[k], step / count);
            cells[k] = ((first_cell & step) == 0) == is_ascending ? min(cells[k], other) : max(cells[k], other);
        } else if ((k & step) == 0) {
            const unsigned long long low = min(cells[k], cells[k + step]), high = max(cells[k], cells[k + step]);
            cells[k] = is_ascending ? low : high;
            cells[k + step] = is_ascending ? high : low;
        }
    }
}
