// The pairs with values found in a part of the rows: buffered, so that threads rarely contend for the count. The count
// continues past the capacity, so that an overflow reports the required size.
template <typename T>
struct td_valued_pair_buffer {
    unsigned int *of_i;
    unsigned int *of_j;
    T *values;
    unsigned long long *count;
    unsigned long long capacity;
    unsigned int length = 0;
    static constexpr unsigned int max_bytes = 32768;
    static constexpr unsigned int buffer_size = sizeof(T) <= 64 ? 512 : 1 + max_bytes / sizeof(T);
    uint2 buffer[buffer_size];
    T buffer_values[buffer_size];

    void add(const unsigned int i, const unsigned int j, const T &value)
    {
        buffer[length] = make_uint2(i, j);
        buffer_values[length++] = value;
        if (length == buffer_size)
            flush();
    }

    // Adds the marked pairs of a row: `width` marks, from column `begin` on. Eight marks are tested at a time, so there is
    // room for seven more.
    void push(
        unsigned char *const marks,
        const T *const marked_values,
        const unsigned int width,
        const unsigned int i,
        const unsigned int begin)
    {
        memset(marks + width, 0, 7);
        for (unsigned int c = 0; c < width; c += 8) {
            unsigned long long word;
            memcpy(&word, marks + c, sizeof(word));
            for (; word != 0; word &= word - 1) {
                const unsigned int offset = c + __ffsll(word) / 8;
                add(i, begin + offset, marked_values[offset]);
            }
        }
    }

    void flush()
    {
        const unsigned long long slot = atomicAdd(count, (unsigned long long)length);
        for (unsigned int k = 0; k < length && slot + k < capacity; ++k) {
            of_i[slot + k] = buffer[k].x;
            of_j[slot + k] = buffer[k].y;
            values[slot + k] = buffer_values[k];
        }
        length = 0;
    }
};
