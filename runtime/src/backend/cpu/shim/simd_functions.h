// Functions on each of a word's two halves or four bytes.
#ifndef TD_CPU_SIMD_FUNCTIONS_H
#define TD_CPU_SIMD_FUNCTIONS_H

#include <stdint.h>

namespace td_cpu {

// Clamps the value to the range of this many bits.
inline int saturated(int value, bool is_signed, int bits) {
    const int least = is_signed ? -(1 << (bits - 1)) : 0;
    const int most = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    return value < least ? least : value > most ? most : value;
}

inline int absolute(int value) { return value < 0 ? -value : value; }

}  // namespace td_cpu

// Evaluates an expression for each part x of a word and part y of another one; the low bits of its value are the part of the
// result. Each function has a loop of its own: g++ would instantiate a template for every kernel, even for one that calls none
// of them.
#define TD_CPU_PARTS(name, parameters, second, part, addition)                                 \
    inline unsigned int name parameters {                                                      \
        unsigned int result = 0;                                                               \
        for (unsigned int shift = 0; shift < 32; shift += 8 * sizeof(part)) {                  \
            const int x = static_cast<part>(a >> shift);                                       \
            [[maybe_unused]] const int y = static_cast<part>(second >> shift);                 \
            result += addition;                                                                \
        }                                                                                      \
        return result;                                                                         \
    }
#define TD_CPU_PLACED(part, expression)                                                        \
    (static_cast<unsigned int>(expression) & TD_CPU_MASK(part)) << shift
#define TD_CPU_UNARY(name, part, expression)                                                   \
    TD_CPU_PARTS(name, (unsigned int a), a, part, TD_CPU_PLACED(part, expression))
#define TD_CPU_BINARY(name, part, expression)                                                  \
    TD_CPU_PARTS(name, (unsigned int a, unsigned int b), b, part, TD_CPU_PLACED(part, expression))
// The sum of the expression over the parts.
#define TD_CPU_SUM(name, part, expression)                                                     \
    TD_CPU_PARTS(name, (unsigned int a, unsigned int b), b, part,                              \
                 static_cast<unsigned int>(expression))
#define TD_CPU_MASK(part) ((1u << 8 * sizeof(part)) - 1)
#define TD_CPU_SATURATED(part, value)                                                          \
    td_cpu::saturated(value, static_cast<part>(-1) < 0, 8 * sizeof(part))
// `__vcmp…` sets all bits of a part, `__vset…` the lowest.
#define TD_CPU_COMPARISON(name, count, part, relation)                                         \
    TD_CPU_BINARY(__vcmp##name##count, part, x relation y ? -1 : 0)                            \
    TD_CPU_BINARY(__vset##name##count, part, x relation y ? 1 : 0)
#define TD_CPU_ALL(count, s, u)                                                                \
    TD_CPU_UNARY(__vabs##count, s, td_cpu::absolute(x))                                        \
    TD_CPU_UNARY(__vabsss##count, s, TD_CPU_SATURATED(s, td_cpu::absolute(x)))                 \
    TD_CPU_UNARY(__vneg##count, s, -x)                                                         \
    TD_CPU_UNARY(__vnegss##count, s, TD_CPU_SATURATED(s, -x))                                  \
    TD_CPU_BINARY(__vadd##count, u, x + y)                                                     \
    TD_CPU_BINARY(__vaddss##count, s, TD_CPU_SATURATED(s, x + y))                              \
    TD_CPU_BINARY(__vaddus##count, u, TD_CPU_SATURATED(u, x + y))                              \
    TD_CPU_BINARY(__vsub##count, u, x - y)                                                     \
    TD_CPU_BINARY(__vsubss##count, s, TD_CPU_SATURATED(s, x - y))                              \
    TD_CPU_BINARY(__vsubus##count, u, TD_CPU_SATURATED(u, x - y))                              \
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
#undef TD_CPU_PLACED
#undef TD_CPU_PARTS
#undef TD_CPU_SATURATED
#undef TD_CPU_MASK

#endif
