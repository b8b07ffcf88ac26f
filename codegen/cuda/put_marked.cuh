// Calls `put` for the marked pairs of a row, of which there are `width`: with their places. Marks are looked at eight at a
// time, and there is room for seven more.
template <typename Put>
static __forceinline__ void td_put_marked(unsigned char *const marks, const unsigned int width, const Put put)
{
    memset(marks + width, 0, 7);
    for (unsigned int c = 0; c < width; c += 8) {
        unsigned long long word;
        memcpy(&word, marks + c, sizeof(word));
        for (; word != 0; word &= word - 1)
            put(c + __ffsll(word) / 8);
    }
}
