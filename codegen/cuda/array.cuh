// A block of an array whose width a launch gives.
template <typename T, unsigned int count>
struct td_array : td_wide<T, count> {
    template <typename Index>
    __device__ __forceinline__ const T &operator[](const Index) const
    {
        static_assert(sizeof(Index) == 0, "Arrays are added whole, as in x += weight * v: a body has only a block of their numbers");
        return this->values[0];
    }
};
