// Maps signed numbers to unsigned numbers of the same order.
template <typename T, typename Rank>
struct td_signed_order {
    static __device__ __forceinline__ Rank rank(const T value)
    {
        return (Rank)value ^ (Rank)1 << (8 * sizeof(Rank) - 1);
    }
    static __device__ __forceinline__ T value(const Rank rank) { return (T)(rank ^ (Rank)1 << (8 * sizeof(Rank) - 1)); }
    static __device__ __forceinline__ T lowest() { return (T)((Rank)1 << (8 * sizeof(T) - 1)); }
    static __device__ __forceinline__ T highest() { return (T)~lowest(); }
};
