// Four floats of 16 bits, made of floats: `{a, b, c, d}`.
template <typename T>
struct alignas(4 * sizeof(T)) td_floats4 {
    T x;
    T y;
    T z;
    T w;

    td_floats4() = default;
    __device__ __forceinline__ td_floats4(const float a, const float b, const float c, const float d) : x(a), y(b), z(c), w(d) {}
};
