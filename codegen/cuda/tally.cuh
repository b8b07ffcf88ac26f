// A thread's count in one tile. It grows by small numbers only, so that 32 bits are enough.
struct td_tally {
    unsigned int value = 0;

    __device__ __forceinline__ void operator+=(const unsigned int term)
    {
        // Keeps the `if` around it a branch, of which the compiler makes one addition under a predicate. Of a
        // choice between two sums it would make two instructions.
        asm volatile("");
        value += term;
    }
};
