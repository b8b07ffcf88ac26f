// The pairs found in a part of the rows: buffered, so that threads rarely contend for the count. The count continues past the
// capacity, so that an overflow reports the required size.
struct td_pair_buffer {
    uint2 *list;
    unsigned long long *count;
    unsigned long long capacity;
    unsigned int length = 0;
    static constexpr unsigned int buffer_size = 512;
    uint2 buffer[buffer_size];

    void add(const unsigned int i, const unsigned int j)
    {
        buffer[length++] = make_uint2(i, j);
        if (length == buffer_size)
            flush();
    }

    // Adds the marked pairs of a row: `width` marks, from column `begin` on. Eight marks are tested at a time, so there is
    // room for seven more.
    void push(unsigned char *const marks, const unsigned int width, const unsigned int i, const unsigned int begin)
    {
        memset(marks + width, 0, 7);
        for (unsigned int c = 0; c < width; c += 8) {
            unsigned long long word;
            memcpy(&word, marks + c, sizeof(word));
            for (; word != 0; word &= word - 1)
                add(i, begin + c + __ffsll(word) / 8);
        }
    }

    void flush()
    {
        const unsigned long long slot = atomicAdd(count, (unsigned long long)length);
        for (unsigned int k = 0; k < length && slot + k < capacity; ++k)
            list[slot + k] = buffer[k];
        length = 0;
    }
};
