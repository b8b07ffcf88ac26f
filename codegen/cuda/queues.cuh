// The queues of pairs that wait to be merged into the nearest K of an element. A cell has the complement of a value's rank
// above the complement of the other element's index, so the nearest has the greatest cell; 0 is empty. A full queue sets
// `missed`, and the same pairs are visited again.
template <unsigned int K, typename Order>
struct td_queues {
    const unsigned long long *cells;
    unsigned long long *queue;
    unsigned int *count;
    unsigned int capacity;
    unsigned int *missed;

    // Queues the other element for this one, unless K are nearer.
    template <typename T>
    __device__ __forceinline__ void put(const unsigned int element, const unsigned int other, const T value) const
    {
        const unsigned long long cell = (unsigned long long)~Order::rank(value) << 32 | ~other;
        if (cell <= cells[(unsigned long long)element * K + K - 1])
            return;
        const unsigned int slot = atomicAdd(count + element, 1u);
        if (slot < capacity)
            queue[(unsigned long long)element * capacity + slot] = cell;
        else
            *missed = 1;
    }

    // Queues each element of a pair for the other. A pair (i, i) is queued once.
    template <typename T>
    __device__ __forceinline__ void put_each(const unsigned int i, const unsigned int j, const T value) const
    {
        put(i, j, value);
        if (i != j)
            put(j, i, value);
    }
};
