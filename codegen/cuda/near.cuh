// The value that a pair offers to its elements: the least that the body pushes. A NaN is never near.
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

    // Whether the body pushed a value.
    __device__ __forceinline__ bool is_number() const { return is_pushed && value == value; }

    // Whether the value is within this bound of an element, or one of two bounds.
    template <typename Bound>
    __device__ __forceinline__ bool is_within(const Bound bound) const { return is_pushed && value <= bound; }
    template <typename Bound>
    __device__ __forceinline__ bool is_within(const Bound a, const Bound b) const
    {
        return is_pushed && (value <= a || value <= b);
    }
};
