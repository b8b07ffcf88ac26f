// Three floats of 16 bits, made of floats: `{a, b, c}`.
template <typename T>
struct td_floats3 {
    T x;
    T y;
    T z;

    td_floats3() = default;
    __device__ __forceinline__ td_floats3(const float a, const float b, const float c) : x(a), y(b), z(c) {}
};
