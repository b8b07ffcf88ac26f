// Warp functions in which every lane sees the values of all: reductions and matches. They visit the lanes one by one, which is
// slow but simple.
#ifndef TD_CPU_WARP_REDUCTIONS_H
#define TD_CPU_WARP_REDUCTIONS_H

#include "warp_functions.h"

namespace td_cpu {

// Calls `visit(lane, its value)` for every participating lane of the mask, lowest first.
template <class Value, class Visit>
inline unsigned each_lane(unsigned mask, Value value, Visit visit) {
    const unsigned arrived = vote(mask, true).arrived;
    for (unsigned source = 0; source < 32; ++source) {
        if (arrived >> source & 1u) {
            visit(source, shuffle(arrived, value, source));
        }
    }
    return arrived;
}

template <class Value, class Combine>
inline Value reduce(unsigned mask, Value value, Combine combine) {
    bool first = true;
    Value total = value;
    each_lane(mask, value, [&](unsigned, Value other) {
        total = first ? other : combine(total, other);
        first = false;
    });
    return total;
}

}  // namespace td_cpu

#define TD_CPU_REDUCTION(name, type, result)                                                   \
    inline type name(unsigned mask, type value) {                                              \
        return td_cpu::reduce(mask, value, [](type a, type b) -> type { return result; });     \
    }
// A sum of int wraps around on a GPU, so it is computed in unsigned.
TD_CPU_REDUCTION(__reduce_add_sync, unsigned, a + b)
TD_CPU_REDUCTION(__reduce_add_sync, int,
                 static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)))
TD_CPU_REDUCTION(__reduce_min_sync, unsigned, a < b ? a : b)
TD_CPU_REDUCTION(__reduce_min_sync, int, a < b ? a : b)
TD_CPU_REDUCTION(__reduce_max_sync, unsigned, a > b ? a : b)
TD_CPU_REDUCTION(__reduce_max_sync, int, a > b ? a : b)
TD_CPU_REDUCTION(__reduce_and_sync, unsigned, a & b)
TD_CPU_REDUCTION(__reduce_or_sync, unsigned, a | b)
TD_CPU_REDUCTION(__reduce_xor_sync, unsigned, a ^ b)
#undef TD_CPU_REDUCTION

template <class Value>
inline unsigned __match_any_sync(unsigned mask, Value value) {
    unsigned same = 0;
    td_cpu::each_lane(mask, value, [&](unsigned source, Value other) {
        same |= memcmp(&value, &other, sizeof(Value)) == 0 ? 1u << source : 0u;
    });
    return same;
}

template <class Value>
inline unsigned __match_all_sync(unsigned mask, Value value, int *all_same) {
    unsigned same = 0;
    const unsigned arrived = td_cpu::each_lane(mask, value, [&](unsigned source, Value other) {
        same |= memcmp(&value, &other, sizeof(Value)) == 0 ? 1u << source : 0u;
    });
    *all_same = same == arrived;
    return same == arrived ? same : 0u;
}

#endif
