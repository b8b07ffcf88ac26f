// Two floats of 16 bits, made of floats: `{a, b}`.
template <typename T>
struct alignas(2 * sizeof(T)) td_floats2 {
    T x;
    T y;

    td_floats2() = default;
    __device__ __forceinline__ td_floats2(const float a, const float b) : x(a), y(b) {}
};
