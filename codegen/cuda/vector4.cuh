// Four 64-bit numbers. The names of CUDA's own types for them differ between CUDA versions.
template <typename T>
struct alignas(16) td_vector4 {
    T x;
    T y;
    T z;
    T w;
};
