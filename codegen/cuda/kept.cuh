// The nearest K of each element, on a CPU: each pair is inserted immediately. A cell has the complement of a value's rank
// above the complement of the other element's index. So the nearest has the greatest cell, and 0 is empty. Threads lock an
// element, which is rare: most pairs are farther than its last cell.
template <unsigned int K, typename Order>
struct td_kept {
    unsigned long long *cells;
    unsigned int *locks;

    template <typename T>
    static unsigned long long cell_of(const unsigned int other, const T value)
    {
        return (unsigned long long)~Order::rank(value) << 32 | ~other;
    }

    // The cell of the farthest of its K neighbours.
    unsigned long long last(const unsigned int element) const
    {
        return __atomic_load_n(cells + (unsigned long long)element * K + K - 1, __ATOMIC_RELAXED);
    }

    void lock(const unsigned int element) const
    {
        while (__atomic_exchange_n(locks + element, 1u, __ATOMIC_ACQUIRE) != 0) {
        }
    }

    void unlock(const unsigned int element) const { __atomic_store_n(locks + element, 0u, __ATOMIC_RELEASE); }

    // Inserts a cell into those of a locked element, once.
    void add(const unsigned int element, unsigned long long cell) const
    {
        unsigned long long *const own = cells + (unsigned long long)element * K;
        if (K <= 12) {
            // Each slot keeps the greater cell and passes the other one on, without a branch.
            for (unsigned int k = 0; k < K - 1; ++k) {
                const unsigned long long kept = own[k];
                own[k] = max(kept, cell);
                cell = kept == cell ? 0 : min(kept, cell);
            }
            __atomic_store_n(own + K - 1, max(own[K - 1], cell), __ATOMIC_RELAXED);
            return;
        }
        unsigned int place = 0;
        while (place < K && own[place] > cell)
            ++place;
        if (place == K || own[place] == cell)
            return;
        for (unsigned int k = K - 1; k > place; --k)
            __atomic_store_n(own + k, own[k - 1], __ATOMIC_RELAXED);
        __atomic_store_n(own + place, cell, __ATOMIC_RELAXED);
    }

    // Inserts the other element into the nearest of this one, unless K are nearer.
    template <typename T>
    void put(const unsigned int element, const unsigned int other, const T value) const
    {
        const unsigned long long cell = cell_of(other, value);
        if (cell <= last(element))
            return;
        lock(element);
        add(element, cell);
        unlock(element);
    }

    // Inserts each element of a pair into the nearest of the other. A pair (i, i) is inserted once.
    template <typename T>
    void put_each(const unsigned int i, const unsigned int j, const T value) const
    {
        put(i, j, value);
        if (i != j)
            put(j, i, value);
    }
};
