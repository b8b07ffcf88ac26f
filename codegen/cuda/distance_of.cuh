// How distances of numbers are computed: in their own type if that is `float`, and otherwise as doubles. `margin` is a part of
// a number that exceeds the errors of a few rounded operations.
template <typename T>
struct td_distance_of {
    using type = double;
    static constexpr double margin = 0x1p-48, greatest = 0x1.fffffffffffffp1023;
};

template <>
struct td_distance_of<float> {
    using type = float;
    static constexpr float margin = 0x1p-20f, greatest = 0x1.fffffep127f;
};
