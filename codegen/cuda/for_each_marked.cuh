// Calls `visit` with the index of each of `width` bytes in which the bit `mark` is set. Eight bytes are tested at a time,
// so there is room for seven more.
template <unsigned char mark, typename Visit>
[[gnu::always_inline]] static inline void td_for_each_marked(unsigned char *const marks, const unsigned int width, const Visit visit)
{
    memset(marks + width, 0, 7);
    for (unsigned int c = 0; c < width; c += 8) {
        unsigned long long word;
        memcpy(&word, marks + c, sizeof(word));
        for (word &= 0x0101010101010101 * mark; word != 0; word &= word - 1)
            visit(c + (__ffsll(word) - 1) / 8);
    }
}
