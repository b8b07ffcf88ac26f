// The same within many sets: of equal values that of the smallest set, and of its smallest pair.
template <typename T, typename Order, bool is_greatest>
struct td_extreme_in_sets : td_extreme<T, Order, is_greatest> {
    using td_extreme<T, Order, is_greatest>::td_extreme;
    unsigned int set = 0xffffffff;

    __device__ __forceinline__ void take(const T taken, const unsigned int of_set, const unsigned int of_i, const unsigned int of_j)
    {
        if (taken != this->value || of_set <= set) {
            // Indices of another set are not compared.
            if (of_set != set)
                this->i = 0xffffffff;
            td_extreme<T, Order, is_greatest>::take(taken, of_i, of_j);
            set = of_set;
        }
    }

    __device__ __forceinline__ unsigned long long set_word() const { return ~(unsigned long long)set; }
};
