// A set that has rows: the first of its rows and of its columns among those of all sets, the number of its columns, and its index.
struct alignas(16) td_set {
    unsigned int row, column, columns, index;
};
