// Functions of a word's two halves, or of its four bytes, each part by itself.
#ifndef TD_CPU_SIMD_FUNCTIONS_H
#define TD_CPU_SIMD_FUNCTIONS_H

#include <stdint.h>

namespace td_cpu {

// Calls `work` with each part of two words as numbers of this type, and with the place of its lowest bit.
template <class Part, class Work>
inline void each_part(unsigned int a, unsigned int b, Work work) {
    constexpr unsigned int bits = 8 * sizeof(Part);
    constexpr unsigned int mask = (1u << bits) - 1;
    for (unsigned int shift = 0; shift < 32; shift += bits)
        work(static_cast<Part>(a >> shift & mask), static_cast<Part>(b >> shift & mask), shift);
}

// What the operation makes of each part: its low bits are the part of the result.
template <class Part, class Operation>
inline unsigned int by_parts(unsigned int a, unsigned int b, Operation operation) {
    constexpr unsigned int mask = (1u << 8 * sizeof(Part)) - 1;
    unsigned int result = 0;
    each_part<Part>(a, b, [&](int x, int y, unsigned int shift) {
        result |= (static_cast<unsigned int>(operation(x, y)) & mask) << shift;
    });
    return result;
}

// The sum of what the operation makes of the parts.
template <class Part, class Operation>
inline unsigned int sum_of_parts(unsigned int a, unsigned int b, Operation operation) {
    unsigned int sum = 0;
    each_part<Part>(a, b, [&](int x, int y, unsigned int) {
        sum += static_cast<unsigned int>(operation(x, y));
    });
    return sum;
}

// What is nearest to the value among the numbers of a part.
template <class Part>
inline int saturated(int value) {
    constexpr bool is_signed = static_cast<Part>(-1) < 0;
    constexpr int bits = 8 * sizeof(Part);
    constexpr int least = is_signed ? -(1 << (bits - 1)) : 0;
    constexpr int most = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    return value < least ? least : value > most ? most : value;
}

inline int absolute(int value) { return value < 0 ? -value : value; }

}  // namespace td_cpu

#define TD_CPU_UNARY(name, part, expression)                                                   \
    inline unsigned int name(unsigned int a) {                                                 \
        return td_cpu::by_parts<part>(a, a, [](int x, int) { return expression; });            \
    }
#define TD_CPU_BINARY(name, part, expression)                                                  \
    inline unsigned int name(unsigned int a, unsigned int b) {                                 \
        return td_cpu::by_parts<part>(a, b, [](int x, int y) { return expression; });          \
    }
#define TD_CPU_SUM(name, part, expression)                                                     \
    inline unsigned int name(unsigned int a, unsigned int b) {                                 \
        return td_cpu::sum_of_parts<part>(a, b, [](int x, int y) { return expression; });      \
    }
// `__vcmp…` sets all bits of a part, and `__vset…` the lowest.
#define TD_CPU_COMPARISON(name, count, part, relation)                                         \
    TD_CPU_BINARY(__vcmp##name##count, part, x relation y ? -1 : 0)                            \
    TD_CPU_BINARY(__vset##name##count, part, x relation y ? 1 : 0)
#define TD_CPU_ALL(count, s, u)                                                                \
    TD_CPU_UNARY(__vabs##count, s, td_cpu::absolute(x))                                        \
    TD_CPU_UNARY(__vabsss##count, s, td_cpu::saturated<s>(td_cpu::absolute(x)))                \
    TD_CPU_UNARY(__vneg##count, s, -x)                                                         \
    TD_CPU_UNARY(__vnegss##count, s, td_cpu::saturated<s>(-x))                                 \
    TD_CPU_BINARY(__vadd##count, u, x + y)                                                     \
    TD_CPU_BINARY(__vaddss##count, s, td_cpu::saturated<s>(x + y))                             \
    TD_CPU_BINARY(__vaddus##count, u, td_cpu::saturated<u>(x + y))                             \
    TD_CPU_BINARY(__vsub##count, u, x - y)                                                     \
    TD_CPU_BINARY(__vsubss##count, s, td_cpu::saturated<s>(x - y))                             \
    TD_CPU_BINARY(__vsubus##count, u, td_cpu::saturated<u>(x - y))                             \
    TD_CPU_BINARY(__vabsdiffs##count, s, td_cpu::absolute(x - y))                              \
    TD_CPU_BINARY(__vabsdiffu##count, u, td_cpu::absolute(x - y))                              \
    TD_CPU_BINARY(__vavgu##count, u, (x + y + 1) >> 1)                                         \
    TD_CPU_BINARY(__vhaddu##count, u, (x + y) >> 1)                                            \
    TD_CPU_BINARY(__vmaxs##count, s, x > y ? x : y)                                            \
    TD_CPU_BINARY(__vmaxu##count, u, x > y ? x : y)                                            \
    TD_CPU_BINARY(__vmins##count, s, x < y ? x : y)                                            \
    TD_CPU_BINARY(__vminu##count, u, x < y ? x : y)                                            \
    TD_CPU_SUM(__vsads##count, s, td_cpu::absolute(x - y))                                     \
    TD_CPU_SUM(__vsadu##count, u, td_cpu::absolute(x - y))                                     \
    TD_CPU_COMPARISON(eq, count, u, ==)                                                        \
    TD_CPU_COMPARISON(ne, count, u, !=)                                                        \
    TD_CPU_COMPARISON(ges, count, s, >=)                                                       \
    TD_CPU_COMPARISON(geu, count, u, >=)                                                       \
    TD_CPU_COMPARISON(gts, count, s, >)                                                        \
    TD_CPU_COMPARISON(gtu, count, u, >)                                                        \
    TD_CPU_COMPARISON(les, count, s, <=)                                                       \
    TD_CPU_COMPARISON(leu, count, u, <=)                                                       \
    TD_CPU_COMPARISON(lts, count, s, <)                                                        \
    TD_CPU_COMPARISON(ltu, count, u, <)
TD_CPU_ALL(2, int16_t, uint16_t)
TD_CPU_ALL(4, int8_t, uint8_t)
#undef TD_CPU_ALL
#undef TD_CPU_COMPARISON
#undef TD_CPU_SUM
#undef TD_CPU_BINARY
#undef TD_CPU_UNARY

#endif
