// What a pair offers to its elements: the least of what the body pushes. A NaN is near nothing.
template <typename T>
struct td_near {
    bool is_pushed = false;
    T value{};

    __device__ __forceinline__ void push(const T pushed)
    {
        if (!is_pushed || pushed < value || value != value)
            value = pushed;
        is_pushed = true;
    }

    // Whether there is something to offer.
    __device__ __forceinline__ bool is_number() const { return is_pushed && value == value; }

    // Whether it may be among the nearest of an element that has this bound, or of one of two.
    template <typename Bound>
    __device__ __forceinline__ bool is_within(const Bound bound) const { return is_pushed && value <= bound; }
    template <typename Bound>
    __device__ __forceinline__ bool is_within(const Bound a, const Bound b) const
    {
        return is_pushed && (value <= a || value <= b);
    }
};
