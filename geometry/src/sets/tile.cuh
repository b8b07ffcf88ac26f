// A set that has pairs: the number of pairs before it, its rows and columns among those of all sets, and its index.
struct alignas(16) td_set {
    unsigned long long start;
    unsigned int row, rows, column, columns, index;
};

// A tile: the entry of its set, and its row and column in the set.
struct alignas(16) td_set_tile {
    unsigned int set, row, col;
};
