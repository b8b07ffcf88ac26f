// The queues of pairs whose values are not computed yet: indices of the elements that may be near. A full queue sets
// `missed`, and the same pairs are visited again.
struct td_candidates {
    unsigned long long *queue;
    unsigned int *count;
    unsigned int capacity;
    unsigned int *missed;

    // Queues the other element for this one.
    __device__ __forceinline__ void put(const unsigned int element, const unsigned int other) const
    {
        const unsigned int slot = atomicAdd(count + element, 1u);
        if (slot < capacity)
            queue[(unsigned long long)element * capacity + slot] = other;
        else
            *missed = 1;
    }
};
