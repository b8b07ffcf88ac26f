// The nearest K of each element, on a CPU: a pair goes among them at once. A cell has the place of a value among all
// values, complemented, above the complement of the other element's index: the nearest has the greatest cell, and 0 is
// none. Threads take turns at an element, which they seldom need: most pairs are farther than its last cell.
template <unsigned int K, typename Order>
struct td_kept {
    unsigned long long *cells;
    unsigned int *locks;

    template <typename T>
    static unsigned long long cell_of(const unsigned int other, const T value)
    {
        return (unsigned long long)~Order::rank(value) << 32 | ~other;
    }

    // The cell of its last neighbour so far.
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

    // Puts a cell among those of an element, which is locked. What is there already is kept once.
    void add(const unsigned int element, unsigned long long cell) const
    {
        unsigned long long *const own = cells + (unsigned long long)element * K;
        if (K <= 12) {
            // Each of a few places keeps the greater cell, and passes the other one on: there is no branch to guess.
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

    // Puts the other element among the nearest of this one, unless there are K that are nearer.
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

    // Both elements of a pair, of which each is near the other. With the diagonal, an element meets itself once.
    template <typename T>
    void put_each(const unsigned int i, const unsigned int j, const T value) const
    {
        put(i, j, value);
        if (i != j)
            put(j, i, value);
    }
};
