// A thread's part of the sums of a block's numbers.
template <typename T, unsigned int count, typename Total = T>
struct td_array_sum : td_wide_sum<T, count, Total> {
    template <typename Index>
    __device__ __forceinline__ Total &operator[](const Index)
    {
        static_assert(sizeof(Index) == 0, "ArraySums are added to whole, as in x += weight * v: a body has only a block of their numbers");
        return this->values[0];
    }
};
