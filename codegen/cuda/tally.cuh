// A thread's count in one tile, for which 32 bits suffice.
struct td_tally {
    unsigned int value = 0;

    __device__ __forceinline__ void operator+=(const unsigned int term)
    {
        // Keeps the `if` around it a branch, which compiles to one predicated addition. A choice between two sums would take
        // two instructions.
        asm volatile("");
        value += term;
    }
};
