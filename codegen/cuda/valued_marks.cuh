// The pairs of one column that a thread lists, with their values: a bit for each of its rows.
template <typename T, unsigned int rows>
struct td_valued_marks {
    unsigned int bits = 0;
    T values[rows];

    template <typename Pushed>
    __device__ __forceinline__ void mark(const unsigned int r, const td_pushed_of<T, Pushed> &pushed)
    {
        if (pushed.is_pushed)
            bits |= 1u << r;
        values[r] = pushed.value;
    }
};
