// The nearest K of an element, which a thread keeps in registers: cells in descending order, 0 if empty.
template <unsigned int K>
struct td_own_neighbours {
    unsigned long long cells[K];

    __device__ __forceinline__ void load(const unsigned long long *const from)
    {
#pragma unroll
        for (unsigned int k = 0; k < K; ++k)
            cells[k] = from[k];
    }

    // Inserts a cell, unless K are nearer or it is known: an earlier launch may have found it.
    __device__ __forceinline__ void put(const unsigned long long cell)
    {
        bool is_known = cell <= cells[K - 1];
#pragma unroll
        for (unsigned int k = K - 1; k > 0; --k)
            is_known |= cells[k - 1] == cell;
        if (is_known)
            return;
#pragma unroll
        for (unsigned int k = K - 1; k > 0; --k)
            cells[k] = cells[k - 1] < cell ? cells[k - 1] : cells[k] < cell ? cell : cells[k];
        cells[0] = cells[0] < cell ? cell : cells[0];
    }

    __device__ __forceinline__ void store(unsigned long long *const to) const
    {
#pragma unroll
        for (unsigned int k = 0; k < K; ++k)
            to[k] = cells[k];
    }

    __device__ __forceinline__ unsigned long long last() const { return cells[K - 1]; }
};
