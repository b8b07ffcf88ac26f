// Loads and stores with a cache hint. A CPU has no such hints, so these are plain accesses, and a misaligned one ends the
// process like any other. (A kernel stores values of any type as vectors, which the compiler's options allow.)
#ifndef TD_CPU_MEMORY_H
#define TD_CPU_MEMORY_H

namespace td_cpu {

// Excludes the value from template deduction, so that it converts to the pointer's element type.
template <class Value>
struct same {
    using type = Value;
};

}  // namespace td_cpu

#define TD_CPU_LOAD(name)                                                                      \
    template <class Value>                                                                     \
    inline Value name(const Value *address) {                                                  \
        return *address;                                                                       \
    }
TD_CPU_LOAD(__ldg)
TD_CPU_LOAD(__ldca)
TD_CPU_LOAD(__ldcg)
TD_CPU_LOAD(__ldcs)
TD_CPU_LOAD(__ldcv)
TD_CPU_LOAD(__ldlu)
#undef TD_CPU_LOAD

#define TD_CPU_STORE(name)                                                                     \
    template <class Value>                                                                     \
    inline void name(Value *address, typename td_cpu::same<Value>::type value) {               \
        *address = value;                                                                      \
    }
TD_CPU_STORE(__stwb)
TD_CPU_STORE(__stcg)
TD_CPU_STORE(__stcs)
TD_CPU_STORE(__stwt)
#undef TD_CPU_STORE

#endif
