// Calls `visit` with the places of what has this mark in a row, whose marks are bits of `width` bytes. They are looked at
// eight at a time, and there is room for seven more.
template <unsigned char mark, typename Visit>
[[gnu::always_inline]] static inline void td_each_marked(unsigned char *const marks, const unsigned int width, const Visit visit)
{
    memset(marks + width, 0, 7);
    for (unsigned int c = 0; c < width; c += 8) {
        unsigned long long word;
        memcpy(&word, marks + c, sizeof(word));
        for (word &= 0x0101010101010101 * mark; word != 0; word &= word - 1)
            visit(c + (__ffsll(word) - 1) / 8);
    }
}
