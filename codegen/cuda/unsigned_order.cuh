// Unsigned numbers, which need no mapping.
template <typename T, typename Rank>
struct td_unsigned_order {
    static __device__ __forceinline__ Rank rank(const T value) { return value; }
    static __device__ __forceinline__ T value(const Rank rank) { return (T)rank; }
    static __device__ __forceinline__ T lowest() { return 0; }
    static __device__ __forceinline__ T highest() { return (T)~(Rank)0; }
};
