// The greatest or the least value that one pair offers. NaNs are ignored.
template <typename T, bool is_greatest>
struct td_offered {
    bool is_offered = false;
    T value{};

    __device__ __forceinline__ void offer(const T offered)
    {
        value = !is_offered ? offered : is_greatest ? max(value, offered) : min(value, offered);
        is_offered = true;
    }

    // Whether the value may replace the best one. A NaN does not.
    template <typename Best>
    __device__ __forceinline__ bool is_for(const Best &best) const
    {
        return is_offered && (is_greatest ? value >= best.value : value <= best.value);
    }
};
