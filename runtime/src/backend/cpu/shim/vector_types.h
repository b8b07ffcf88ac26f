// CUDA's vector types, with CUDA's alignments, and their make_ functions. `long` is left out: its size depends on the host, so
// no kernel of this crate uses it.
#ifndef TD_CPU_VECTOR_TYPES_H
#define TD_CPU_VECTOR_TYPES_H

#define TD_CPU_VECTOR(name, element, alignment, parameters, ...)                               \
    struct __attribute__((aligned(alignment))) name {                                          \
        element __VA_ARGS__;                                                                   \
    };                                                                                         \
    inline name make_##name parameters { return name{__VA_ARGS__}; }
#define TD_CPU_VECTOR_4(name, element, alignment)                                              \
    TD_CPU_VECTOR(name, element, alignment, (element x, element y, element z, element w), x,   \
                  y, z, w)

// Vectors of one and three are aligned as their element; of two and four as their size, but to at most 16 bytes.
#define TD_CPU_VECTORS(prefix, element, one, two, four)                                        \
    TD_CPU_VECTOR(prefix##1, element, one, (element x), x)                                     \
    TD_CPU_VECTOR(prefix##2, element, two, (element x, element y), x, y)                       \
    TD_CPU_VECTOR(prefix##3, element, one, (element x, element y, element z), x, y, z)         \
    TD_CPU_VECTOR_4(prefix##4, element, four)

TD_CPU_VECTORS(char, signed char, 1, 2, 4)
TD_CPU_VECTORS(uchar, unsigned char, 1, 2, 4)
TD_CPU_VECTORS(short, short, 2, 4, 8)
TD_CPU_VECTORS(ushort, unsigned short, 2, 4, 8)
TD_CPU_VECTORS(int, int, 4, 8, 16)
TD_CPU_VECTORS(uint, unsigned int, 4, 8, 16)
TD_CPU_VECTORS(longlong, long long, 8, 16, 16)
TD_CPU_VECTORS(ulonglong, unsigned long long, 8, 16, 16)
TD_CPU_VECTORS(float, float, 4, 8, 16)
TD_CPU_VECTORS(double, double, 8, 16, 16)

// CUDA 13 names the alignment of the 32-byte vectors.
TD_CPU_VECTOR_4(longlong4_16a, long long, 16)
TD_CPU_VECTOR_4(longlong4_32a, long long, 32)
TD_CPU_VECTOR_4(ulonglong4_16a, unsigned long long, 16)
TD_CPU_VECTOR_4(ulonglong4_32a, unsigned long long, 32)
TD_CPU_VECTOR_4(double4_16a, double, 16)
TD_CPU_VECTOR_4(double4_32a, double, 32)

#undef TD_CPU_VECTORS
#undef TD_CPU_VECTOR_4
#undef TD_CPU_VECTOR

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
        : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 size) : x(size.x), y(size.y), z(size.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};

#endif
