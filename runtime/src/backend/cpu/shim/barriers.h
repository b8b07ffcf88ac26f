// Barriers of a block, and memory fences.
#ifndef TD_CPU_BARRIERS_H
#define TD_CPU_BARRIERS_H

#include <stdlib.h>

#include "execution.h"

namespace td_cpu {

// At a block barrier `ballot` counts the threads with the predicate, `arrived` all threads.
inline request block_barrier(bool predicate) {
    request question{};
    question.called = static_cast<uint32_t>(function::block_barrier);
    question.predicate = predicate;
    wait(question);
    return question;
}

}  // namespace td_cpu

inline void __syncthreads() { td_cpu::block_barrier(false); }

inline int __syncthreads_count(int predicate) {
    return static_cast<int>(td_cpu::block_barrier(predicate != 0).ballot);
}

inline int __syncthreads_and(int predicate) {
    const td_cpu::request answer = td_cpu::block_barrier(predicate != 0);
    return answer.ballot == answer.arrived;
}

inline int __syncthreads_or(int predicate) {
    return td_cpu::block_barrier(predicate != 0).ballot != 0;
}

// Other blocks run on other operating system threads, so the CPU needs a real fence.
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

inline void __trap() { abort(); }

#endif
