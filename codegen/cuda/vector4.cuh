// Four numbers of 64 bits; CUDA's own such types change their names from version to version.
template <typename T>
struct alignas(16) td_vector4 {
    T x;
    T y;
    T z;
    T w;
};
