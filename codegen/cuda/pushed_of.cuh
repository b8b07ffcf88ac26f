// Whether a pair belongs on the list, and its value, which is converted from the pushed value.
template <typename T, typename Pushed = T>
struct td_pushed_of {
    bool is_pushed = false;
    T value{};

    __device__ __forceinline__ void push(const Pushed &pushed)
    {
        is_pushed = true;
        value = pushed;
    }
    // Each pair of this list needs a value. Without one, the compiler's error points to the line in the body.
    void push() = delete;
};
