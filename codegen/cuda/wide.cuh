// An array of numbers, aligned to as many bytes as one instruction loads.
template <typename T, unsigned int count>
struct alignas(count * sizeof(T) % 16 == 0 ? 16 : count * sizeof(T) % 8 == 0 ? 8 : sizeof(T)) td_wide {
    T values[count];

    __device__ __forceinline__ const T &operator[](const unsigned int k) const { return values[k]; }

    __device__ __forceinline__ friend td_scaled<T, count> operator*(const T weight, const td_wide &array)
    {
        td_scaled<T, count> scaled;
        scaled.weight = weight;
#pragma unroll
        for (unsigned int k = 0; k < count; ++k)
            scaled.values[k] = array.values[k];
        return scaled;
    }
    __device__ __forceinline__ friend td_scaled<T, count> operator*(const td_wide &array, const T weight) { return weight * array; }
};
