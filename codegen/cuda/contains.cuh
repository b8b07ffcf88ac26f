// Whether `cell` is among `cells`, which are in descending order.
template <unsigned int size>
static __device__ __forceinline__ bool td_contains(const unsigned long long *const cells, const unsigned long long cell)
{
    unsigned int index = 0;
#pragma unroll
    for (unsigned int step = size / 2; step > 0; step /= 2) {
        if (cells[index + step - 1] > cell)
            index += step;
    }
    return cells[index] == cell;
}
