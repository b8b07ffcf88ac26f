// A tile of values, stored by columns, that is read by columns: four columns side by side are far apart, and a column
// has four places more than it needs, so that threads that write side by side use different banks.
template <typename T, unsigned int tile>
struct td_mirror {
    alignas(16) T columns[tile][tile + 4];

    __device__ __forceinline__ T &at(const unsigned int column, const unsigned int row)
    {
        return columns[column % 4 * (tile / 4) + column / 4][row];
    }

    // Four rows of a column, from a multiple of four on.
    __device__ __forceinline__ const T (&four(const unsigned int column, const unsigned int row))[4]
    {
        return *(const T (*)[4])&at(column, row);
    }
};
