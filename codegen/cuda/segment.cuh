// The values of a row of threads, side by side in shared memory: `count` in all, of which each thread has `own`. One
// thread's values are several vectors of 16 bytes: if each thread stored its own, every store of the warp would write
// only parts of sectors.
template <typename T, unsigned int count, unsigned int own>
struct td_segment {
    // A thread's values are whole vectors, and few enough for its registers; others are stored one by one.
    static constexpr bool is_used = own * sizeof(T) % 16 == 0 && sizeof(T) <= 32;
    static constexpr unsigned int vectors = is_used ? count * sizeof(T) / 16 : 1;
    uint4 memory[vectors];

    __device__ __forceinline__ uint4 &at(const unsigned int vector)
    {
        // Where a thread has 2, 4 or 8 vectors, threads would write with that stride, and so to few banks: the
        // exclusive or spreads them, and there are no bank conflicts.
        constexpr bool is_power = (sizeof(T) & (sizeof(T) - 1)) == 0;
        return memory[is_power ? vector ^ ((vector / 8) % 8) : vector];
    }
};
