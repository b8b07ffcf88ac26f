// The nearest K of each element, on a CPU: each pair is inserted immediately. A cell has the complement of a value's rank
// above the complement of the other element's index. So the nearest has the greatest cell, and 0 is empty. Threads lock an
// element, which is rare: most pairs are farther than its last cell.
template <unsigned int K, typename Order>
struct td_neighbour_lists {
    unsigned long long *cells;
    unsigned int *locks;

    template <typename T>
    static unsigned long long cell_of(const unsigned int other, const T value)
    {
        return (unsigned long long)~Order::rank(value) << 32 | ~other;
    }

    // The cell of the farthest of its K neighbours.
    unsigned long long last_cell(const unsigned int element) const
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
    void insert(const unsigned int element, unsigned long long cell) const
    {
        unsigned long long *const list = cells + (unsigned long long)element * K;
        if (K <= 12) {
            // Each slot keeps the greater cell and passes the other one on, without a branch.
            for (unsigned int k = 0; k < K - 1; ++k) {
                const unsigned long long current = list[k];
                list[k] = max(current, cell);
                cell = current == cell ? 0 : min(current, cell);
            }
            __atomic_store_n(list + K - 1, max(list[K - 1], cell), __ATOMIC_RELAXED);
            return;
        }
        unsigned int index = 0;
        while (index < K && list[index] > cell)
            ++index;
        if (index == K || list[index] == cell)
            return;
        for (unsigned int k = K - 1; k > index; --k)
            __atomic_store_n(list + k, list[k - 1], __ATOMIC_RELAXED);
        __atomic_store_n(list + index, cell, __ATOMIC_RELAXED);
    }

    // Inserts the other element into the nearest of this one, unless K are nearer.
    template <typename T>
    void put(const unsigned int element, const unsigned int other, const T value) const
    {
        const unsigned long long cell = cell_of(other, value);
        if (cell <= last_cell(element))
            return;
        lock(element);
        insert(element, cell);
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
