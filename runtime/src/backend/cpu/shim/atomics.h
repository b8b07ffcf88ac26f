// CUDA's atomic functions, atomic across the operating system threads that run the blocks. They are relaxed, as in CUDA:
// __threadfence gives the order.
#ifndef TD_CPU_ATOMICS_H
#define TD_CPU_ATOMICS_H

// Replaces *address by `change`, an expression of the old value, and returns the old value. The compiler compares bits, so
// floats are exchanged as in CUDA: a NaN equals itself, and -0 is not 0. A macro, because g++ would instantiate a template for
// every function here in every kernel.
#define TD_CPU_ATOMIC_UPDATE(type, change)                                                     \
    type old_value;                                                                            \
    __atomic_load(address, &old_value, __ATOMIC_RELAXED);                                      \
    for (;;) {                                                                                 \
        type new_value = change;                                                               \
        if (__atomic_compare_exchange(address, &old_value, &new_value, true, __ATOMIC_RELAXED, \
                                      __ATOMIC_RELAXED)) {                                     \
            return old_value;                                                                  \
        }                                                                                      \
    }

#define TD_CPU_ATOMIC_FETCH(name, operation, type)                                             \
    inline type name(type *address, type value) {                                              \
        return operation(address, value, __ATOMIC_RELAXED);                                    \
    }
#define TD_CPU_ATOMIC_INTEGER(type)                                                            \
    TD_CPU_ATOMIC_FETCH(atomicAdd, __atomic_fetch_add, type)                                   \
    TD_CPU_ATOMIC_FETCH(atomicAnd, __atomic_fetch_and, type)                                   \
    TD_CPU_ATOMIC_FETCH(atomicOr, __atomic_fetch_or, type)                                     \
    TD_CPU_ATOMIC_FETCH(atomicXor, __atomic_fetch_xor, type)
TD_CPU_ATOMIC_INTEGER(int)
TD_CPU_ATOMIC_INTEGER(unsigned int)
TD_CPU_ATOMIC_INTEGER(unsigned long long)
TD_CPU_ATOMIC_FETCH(atomicSub, __atomic_fetch_sub, int)
TD_CPU_ATOMIC_FETCH(atomicSub, __atomic_fetch_sub, unsigned int)
#undef TD_CPU_ATOMIC_INTEGER
#undef TD_CPU_ATOMIC_FETCH

inline float atomicAdd(float *address, float value) {
    TD_CPU_ATOMIC_UPDATE(float, old_value + value)
}
inline double atomicAdd(double *address, double value) {
    TD_CPU_ATOMIC_UPDATE(double, old_value + value)
}

#define TD_CPU_ATOMIC_ORDER(type)                                                              \
    inline type atomicMin(type *address, type value) {                                         \
        TD_CPU_ATOMIC_UPDATE(type, value < old_value ? value : old_value)                      \
    }                                                                                          \
    inline type atomicMax(type *address, type value) {                                         \
        TD_CPU_ATOMIC_UPDATE(type, value > old_value ? value : old_value)                      \
    }
TD_CPU_ATOMIC_ORDER(int)
TD_CPU_ATOMIC_ORDER(unsigned int)
TD_CPU_ATOMIC_ORDER(long long)
TD_CPU_ATOMIC_ORDER(unsigned long long)
#undef TD_CPU_ATOMIC_ORDER

#define TD_CPU_ATOMIC_EXCHANGE(type)                                                           \
    inline type atomicExch(type *address, type value) { TD_CPU_ATOMIC_UPDATE(type, value) }
TD_CPU_ATOMIC_EXCHANGE(int)
TD_CPU_ATOMIC_EXCHANGE(unsigned int)
TD_CPU_ATOMIC_EXCHANGE(unsigned long long)
TD_CPU_ATOMIC_EXCHANGE(float)
#undef TD_CPU_ATOMIC_EXCHANGE

#define TD_CPU_ATOMIC_COMPARE(type)                                                            \
    inline type atomicCAS(type *address, type expected, type value) {                          \
        __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_RELAXED,        \
                                    __ATOMIC_RELAXED);                                         \
        return expected;                                                                       \
    }
TD_CPU_ATOMIC_COMPARE(int)
TD_CPU_ATOMIC_COMPARE(unsigned int)
TD_CPU_ATOMIC_COMPARE(unsigned long long)
TD_CPU_ATOMIC_COMPARE(unsigned short)
#undef TD_CPU_ATOMIC_COMPARE

inline unsigned int atomicInc(unsigned int *address, unsigned int bound) {
    TD_CPU_ATOMIC_UPDATE(unsigned int, old_value >= bound ? 0u : old_value + 1u)
}
inline unsigned int atomicDec(unsigned int *address, unsigned int bound) {
    TD_CPU_ATOMIC_UPDATE(unsigned int,
                         old_value == 0u || old_value > bound ? bound : old_value - 1u)
}
#undef TD_CPU_ATOMIC_UPDATE

// CUDA's scopes other than the device make no difference here.
#define TD_CPU_ATOMIC_SCOPES(name)                                                             \
    template <class Place, class... Values>                                                    \
    inline Place name##_block(Place *address, Values... values) {                              \
        return name(address, values...);                                                       \
    }                                                                                          \
    template <class Place, class... Values>                                                    \
    inline Place name##_system(Place *address, Values... values) {                             \
        return name(address, values...);                                                       \
    }
TD_CPU_ATOMIC_SCOPES(atomicAdd)
TD_CPU_ATOMIC_SCOPES(atomicSub)
TD_CPU_ATOMIC_SCOPES(atomicMin)
TD_CPU_ATOMIC_SCOPES(atomicMax)
TD_CPU_ATOMIC_SCOPES(atomicAnd)
TD_CPU_ATOMIC_SCOPES(atomicOr)
TD_CPU_ATOMIC_SCOPES(atomicXor)
TD_CPU_ATOMIC_SCOPES(atomicExch)
TD_CPU_ATOMIC_SCOPES(atomicCAS)
TD_CPU_ATOMIC_SCOPES(atomicInc)
TD_CPU_ATOMIC_SCOPES(atomicDec)
#undef TD_CPU_ATOMIC_SCOPES

#endif
