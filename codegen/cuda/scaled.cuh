// The product of a number and an array, before it is added to sums.
template <typename T, unsigned int count>
struct td_scaled {
    T weight;
    T values[count];

    __device__ __forceinline__ T operator[](const unsigned int k) const { return weight * values[k]; }
};
