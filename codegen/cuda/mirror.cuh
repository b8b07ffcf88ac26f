// A tile of values, stored by columns, which are the rows of the other half of the square. Adjacent threads write columns
// with a stride of `neighbours`, so these columns are stored side by side. Each column is padded, by 16 bytes if values
// are smaller, so that the same row of adjacent columns is in other banks.
template <typename T, unsigned int tile, unsigned int neighbours>
struct td_mirror {
    static constexpr unsigned int padding =
        sizeof(T) % 16 == 0 ? 1 : sizeof(T) % 8 == 0 ? 2 : sizeof(T) % 4 == 0 ? 4 : sizeof(T) % 2 == 0 ? 8 : 16;
    alignas(16) alignas(T) T columns[tile][tile + padding];

    __device__ __forceinline__ T &at(const unsigned int column, const unsigned int row)
    {
        return columns[column % neighbours * (tile / neighbours) + column / neighbours][row];
    }

    // Stores a column from `slots` on, by a row of `width` threads, in contiguous vectors: streaming stores, because the
    // values need not stay in the cache.
    template <unsigned int width>
    __device__ __forceinline__ void store(T *const slots, const unsigned int column)
    {
        constexpr unsigned int vectors = tile * sizeof(T) / 16;
        const unsigned char *const bytes = (const unsigned char *)&at(column, 0);
#pragma unroll
        for (unsigned int k = 0; k < vectors; k += width) {
            const unsigned int index = k + threadIdx.x;
            if (vectors % width != 0 && index >= vectors)
                break;
            uint4 vector;
            memcpy(&vector, bytes + 16 * index, 16);
            __stcs((uint4 *)slots + index, vector);
        }
    }
};
