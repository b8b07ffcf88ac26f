// Calls `visit` with the places of what has this mark in a row, whose marks are bits of `width` bytes. They are looked at
// eight at a time, and there is room for seven more.
template <unsigned char mark, typename Visit>
static __forceinline__ void td_each_marked(unsigned char *const marks, const unsigned int width, const Visit visit)
{
    memset(marks + width, 0, 7);
    for (unsigned int c = 0; c < width; c += 8) {
        unsigned long long word;
        memcpy(&word, marks + c, sizeof(word));
        for (word &= 0x0101010101010101 * mark; word != 0; word &= word - 1)
            visit(c + (__ffsll(word) - 1) / 8);
    }
}

// Puts the marked ones of the others from `first` on among the nearest of an element, which is locked once for all of them.
template <typename Kept, typename T>
static __forceinline__ void td_put_marked(
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
