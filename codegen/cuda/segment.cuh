// The values of a row of threads, contiguous in shared memory: `count` in all, and `per_thread` for each thread. The values
// of a thread are several vectors of 16 bytes. If each thread stored its own vectors, every store of the warp would write
// only parts of sectors.
template <typename T, unsigned int count, unsigned int per_thread>
struct td_segment {
    // Used if a thread's values are whole vectors and fit into its registers. Other values are stored one by one.
    static constexpr bool is_used = per_thread * sizeof(T) % 16 == 0 && sizeof(T) <= 32;
    static constexpr unsigned int vectors = is_used ? count * sizeof(T) / 16 : 1;
    uint4 memory[vectors];

    __device__ __forceinline__ uint4 &at(const unsigned int vector)
    {
        // If a thread has 2, 4 or 8 vectors, threads would write with that stride, and so to few banks. The exclusive
        // or spreads the vectors over all banks.
        constexpr bool is_power = (sizeof(T) & (sizeof(T) - 1)) == 0;
        return memory[is_power ? vector ^ ((vector / 8) % 8) : vector];
    }
};
