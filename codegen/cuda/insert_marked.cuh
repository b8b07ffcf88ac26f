// Inserts the marked elements from `first` on into the nearest of an element, which is locked once for all of them.
template <typename Lists, typename T>
[[gnu::always_inline]] static inline void td_insert_marked(
    const Lists &lists,
    const unsigned int element,
    const unsigned int first,
    unsigned char *const marks,
    const unsigned int width,
    const T *const values)
{
    bool is_locked = false;
    td_for_each_marked<1>(marks, width, [&](const unsigned int c) {
        const unsigned long long cell = lists.cell_of(first + c, values[c]);
        if (cell <= lists.last_cell(element))
            return;
        if (!is_locked)
            lists.lock(element);
        is_locked = true;
        lists.insert(element, cell);
    });
    if (is_locked)
        lists.unlock(element);
}
