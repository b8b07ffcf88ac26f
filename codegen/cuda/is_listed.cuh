// Whether `cell` is among `cells`, which are in descending order.
template <unsigned int room>
static __device__ __forceinline__ bool td_is_listed(const unsigned long long *const cells, const unsigned long long cell)
{
    unsigned int place = 0;
#pragma unroll
    for (unsigned int step = room / 2; step > 0; step /= 2) {
        if (cells[place + step - 1] > cell)
            place += step;
    }
    return cells[place] == cell;
}
