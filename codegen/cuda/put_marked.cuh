// Inserts the marked elements from `first` on into the nearest of an element, which is locked once for all of them.
template <typename Kept, typename T>
[[gnu::always_inline]] static inline void td_put_marked(
    const Kept &kept,
    const unsigned int element,
    const unsigned int first,
    unsigned char *const marks,
    const unsigned int width,
    const T *const values)
{
    bool is_locked = false;
    td_each_marked<1>(marks, width, [&](const unsigned int c) {
        const unsigned long long cell = kept.cell_of(first + c, values[c]);
        if (cell <= kept.last(element))
            return;
        if (!is_locked)
            kept.lock(element);
        is_locked = true;
        kept.add(element, cell);
    });
    if (is_locked)
        kept.unlock(element);
}
