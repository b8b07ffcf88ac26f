// A cell to which pairs of one set offer values. Few pairs are better than all before them, so the cell is read first. A value
// that another thread has just replaced only costs an atomic.
template <typename T, typename Best, typename Cell>
struct td_offer_to_set {
    Cell *cell;

    __device__ __forceinline__ void offer(const T value) const
    {
        Best best;
        best.offer(value);
        if (best.rank() > *(const volatile Cell *)cell)
            atomicMax(cell, best.rank());
    }
};
