// The pairs with values found in a part of the rows: buffered, so that threads rarely contend for the count. The count
// continues past the capacity, so that an overflow reports the required size.
template <typename T>
struct td_listed_of {
    unsigned int *of_i;
    unsigned int *of_j;
    T *values;
    unsigned long long *count;
    unsigned long long capacity;
    unsigned int length = 0;
    static constexpr unsigned int room = sizeof(T) <= 64 ? 512 : 1 + 32768 / sizeof(T);
    uint2 kept[room];
    T kept_values[room];

    void add(const unsigned int i, const unsigned int j, const T &value)
    {
        kept[length] = make_uint2(i, j);
        kept_values[length++] = value;
        if (length == room)
            move();
    }

    // Adds the marked pairs of a row: `width` marks, from column `begin` on. Eight marks are tested at a time, so there is
    // room for seven more.
    void push(
        unsigned char *const marks,
        const T *const found,
        const unsigned int width,
        const unsigned int i,
        const unsigned int begin)
    {
        memset(marks + width, 0, 7);
        for (unsigned int c = 0; c < width; c += 8) {
            unsigned long long word;
            memcpy(&word, marks + c, sizeof(word));
            for (; word != 0; word &= word - 1) {
                const unsigned int place = c + __ffsll(word) / 8;
                add(i, begin + place, found[place]);
            }
        }
    }

    void move()
    {
        const unsigned long long slot = atomicAdd(count, (unsigned long long)length);
        for (unsigned int k = 0; k < length && slot + k < capacity; ++k) {
            of_i[slot + k] = kept[k].x;
            of_j[slot + k] = kept[k].y;
            values[slot + k] = kept_values[k];
        }
        length = 0;
    }
};
