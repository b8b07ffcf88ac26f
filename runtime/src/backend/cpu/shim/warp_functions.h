// Functions that the lanes of a warp call together: barrier, votes, shuffles.
#ifndef TD_CPU_WARP_FUNCTIONS_H
#define TD_CPU_WARP_FUNCTIONS_H

#include <string.h>

#include "execution.h"

namespace td_cpu {

inline request vote(unsigned mask, bool predicate) {
    request question{};
    question.called = static_cast<uint32_t>(function::vote);
    question.mask = mask;
    question.predicate = predicate;
    wait(question);
    return question;
}

// Offers `value` to the lanes of the mask and returns the value of the lane `source`. If that lane does not take part, the
// result is the lane's own value, which CUDA leaves undefined.
template <class Value>
inline Value shuffle(unsigned mask, Value value, unsigned source) {
    static_assert(sizeof(Value) == 4 || sizeof(Value) == 8, "CUDA shuffles 4 or 8 bytes");
    request question{};
    question.called = static_cast<uint32_t>(function::shuffle);
    question.mask = mask;
    question.source = source;
    memcpy(&question.value, &value, sizeof(Value));
    wait(question);
    memcpy(&value, &question.value, sizeof(Value));
    return value;
}

inline unsigned active_mask(unsigned place) {
    request question{};
    question.called = static_cast<uint32_t>(function::active_mask);
    question.mask = place;
    wait(question);
    return question.arrived;
}

// The four source lanes as PTX defines them for `shfl.sync`: segments of `width` lanes, and a lane whose source is outside its
// segment keeps its own value.
inline unsigned segment_start(int width) { return lane() & ~(static_cast<unsigned>(width) - 1u); }
inline unsigned segment_end(int width) { return segment_start(width) + static_cast<unsigned>(width) - 1u; }

inline unsigned source_of_index(unsigned index, int width) {
    return segment_start(width) | (index & (static_cast<unsigned>(width) - 1u));
}
inline unsigned source_above(unsigned delta, int width) {
    const unsigned distance = delta & 31u;
    return lane() < segment_start(width) + distance ? lane() : lane() - distance;
}
inline unsigned source_below(unsigned delta, int width) {
    const unsigned source = lane() + (delta & 31u);
    return source > segment_end(width) ? lane() : source;
}
inline unsigned source_across(unsigned bits, int width) {
    const unsigned source = lane() ^ (bits & 31u);
    return source > segment_end(width) ? lane() : source;
}

}  // namespace td_cpu

inline void __syncwarp(unsigned mask = 0xffffffffu) {
    td_cpu::request question{};
    question.called = static_cast<uint32_t>(td_cpu::function::warp_barrier);
    question.mask = mask;
    td_cpu::wait(question);
}

inline unsigned __ballot_sync(unsigned mask, int predicate) {
    return td_cpu::vote(mask, predicate != 0).ballot;
}
inline int __any_sync(unsigned mask, int predicate) {
    return td_cpu::vote(mask, predicate != 0).ballot != 0;
}
inline int __all_sync(unsigned mask, int predicate) {
    const td_cpu::request answer = td_cpu::vote(mask, predicate != 0);
    return answer.ballot == answer.arrived;
}

// The lanes that wait at this call when no lane of the warp can continue. The call site stands in for the mask, so that lanes
// in different branches do not count as converged.
#define __activemask() td_cpu::active_mask(__COUNTER__)

// Overloads, not templates, so that a smaller type is promoted as in CUDA.
#define TD_CPU_SHUFFLES(type)                                                                  \
    inline type __shfl_sync(unsigned mask, type value, int source, int width = warpSize) {     \
        return td_cpu::shuffle(mask, value,                                                    \
                               td_cpu::source_of_index(static_cast<unsigned>(source), width)); \
    }                                                                                          \
    inline type __shfl_up_sync(unsigned mask, type value, unsigned delta,                      \
                               int width = warpSize) {                                         \
        return td_cpu::shuffle(mask, value, td_cpu::source_above(delta, width));               \
    }                                                                                          \
    inline type __shfl_down_sync(unsigned mask, type value, unsigned delta,                    \
                                 int width = warpSize) {                                       \
        return td_cpu::shuffle(mask, value, td_cpu::source_below(delta, width));               \
    }                                                                                          \
    inline type __shfl_xor_sync(unsigned mask, type value, int bits, int width = warpSize) {   \
        return td_cpu::shuffle(mask, value,                                                    \
                               td_cpu::source_across(static_cast<unsigned>(bits), width));     \
    }

TD_CPU_SHUFFLES(int)
TD_CPU_SHUFFLES(unsigned int)
TD_CPU_SHUFFLES(long)
TD_CPU_SHUFFLES(unsigned long)
TD_CPU_SHUFFLES(long long)
TD_CPU_SHUFFLES(unsigned long long)
TD_CPU_SHUFFLES(float)
TD_CPU_SHUFFLES(double)
#undef TD_CPU_SHUFFLES

#endif
