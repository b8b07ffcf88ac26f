// A set that has pairs: the pairs before it, its first element, and its index among all sets.
struct alignas(16) td_set {
    unsigned long long start;
    unsigned int first, index;
};

// Pairs one after another, of sets that are not large: the pairs before them, their number, and the set of the first one.
struct alignas(16) td_run {
    unsigned long long begin;
    int pairs;
    unsigned int set;
};
