// A set that has pairs: the pairs before it, the first elements of its rows and of its columns, the number of its columns, the
// reciprocal of that, and its index among all sets.
struct alignas(16) td_set {
    unsigned long long start;
    unsigned int row, column, columns;
    float inverse;
    unsigned int index;
};

// Pairs one after another: the set of the first one, their number, and the row and the column of the first one.
struct alignas(16) td_run {
    unsigned int set;
    int pairs;
    unsigned int row, col;
};
