// How distances of two numbers are computed: as floats if both are, and otherwise as doubles. `margin` is a part of a number that
// exceeds the errors of a few operations that are rounded to floats. Below `least`, a body that computes with floats may have lost
// the squares, as they are subnormal. Sums of 2^13 of them are off by less than the margin above.
template <typename T, typename Other = T>
struct td_distance_of {
    static_assert((sizeof(T) < 8 || (T)0.5f != 0) && (sizeof(Other) < 8 || (Other)0.5f != 0), "doubles do not have all 64-bit integers: write another bound than a distance of boxes");
    static_assert(sizeof(T) != 4 || sizeof(Other) != 4 || ((T)0.5f != 0) == ((Other)0.5f != 0), "the body rounds a 32-bit integer of one set beside a float of the other: write f64 in place of f32 for a distance of boxes");
    using type = double;
    static constexpr double margin = 0x1p-20, least = 0x1p-116, greatest = 0x1.fffffffffffffp1023;
};

template <>
struct td_distance_of<float, float> {
    using type = float;
    static constexpr float margin = 0x1p-20f, least = 0x1p-116f, greatest = 0x1.fffffep127f;
};
