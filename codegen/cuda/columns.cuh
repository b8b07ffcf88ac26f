// Elements of neighbouring columns. Each thread reads a few adjacent columns, and the next thread the columns after them,
// so the stride from thread to thread is a few columns. Column c is in plane c % 4 of four planes, in which the threads
// of a warp read adjacent addresses, without bank conflicts.
template <typename T, unsigned int count>
struct td_columns {
    T planes[4][count / 4];

    __device__ __forceinline__ void put(const unsigned int c, const T &element)
    {
        planes[c % 4][c / 4] = element;
    }

    // The element of column c + k. If the compiler knows k, only c costs instructions.
    __device__ __forceinline__ const T &at(const unsigned int c, const unsigned int k = 0) const
    {
        const unsigned int first = c + k % 4;
        return planes[first % 4][first / 4 + k / 4];
    }
};
