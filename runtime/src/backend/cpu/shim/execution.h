// How the threads of a block run: the loop over them, and the function through which a thread waits for others. The scheduler
// is in Rust (`emulator/src/block.rs`).
#ifndef TD_CPU_EXECUTION_H
#define TD_CPU_EXECUTION_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "vector_types.h"

static thread_local uint3 threadIdx;
static thread_local uint3 blockIdx;
static thread_local dim3 blockDim;
static thread_local dim3 gridDim;
inline constexpr int warpSize = 32;

namespace td_cpu {

// What a thread waits at. `emulator/src/interface.rs` has the same numbers.
enum class function : uint32_t {
    block_barrier = 0,
    active_mask = 1,
    // From here on: functions that the lanes of a mask call together.
    warp_barrier = 2,
    vote = 3,
    shuffle = 4,
};

// A thread's request to the others, on its own stack while it waits. The scheduler answers all requests before any thread
// continues, so a lane that runs ahead overwrites no answer. `emulator/src/interface.rs` has the same fields.
struct request {
    uint64_t value;      // asked: this lane's value; answered: the value of the lane `source`
    uint32_t called;     // a `function`
    uint32_t mask;       // the lanes that call it together; at __activemask, the call site
    uint32_t source;     // the lane whose value is requested
    uint32_t predicate;  // 0 or 1
    uint32_t ballot;     // answered: lanes with the predicate; at a block barrier, the number of threads
    uint32_t arrived;    // answered: lanes that took part; at a block barrier, the number of threads
};

// The block that an operating system thread runs. `emulator/src/interface.rs` has the same fields.
struct context {
    uint32_t next;   // the next thread to start, in CUDA's order: x first, then y, then z
    uint32_t limit;  // starting stops before this thread
    uint3 next_index;
    uint3 block_index;
    uint3 block_size;
    uint3 grid_size;
    void *const *arguments;
    void (*wait)(context *, request *);
    const void *fiber;  // used by the scheduler
};

#if defined(TD_CPU_REQUEST_SIZE)
static_assert(sizeof(request) == TD_CPU_REQUEST_SIZE, "request differs from interface.rs");
static_assert(sizeof(context) == TD_CPU_CONTEXT_SIZE, "context differs from interface.rs");
#endif

static thread_local context *current;

// For each thread of the block: which of its warp's two buffers it used last (tensor_functions.h).
inline thread_local uint8_t turns[1024];

inline uint32_t lane() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
}

// Runs other threads of the block until the request is answered. They overwrite `threadIdx`, so this thread saves its index on
// its stack and restores it.
inline void wait(request &question) {
    const uint3 own_index = threadIdx;
    current->wait(current, &question);
    threadIdx = own_index;
}

// A parameter's value. It is copied byte by byte because the launching side may align it less: for example, four floats in an
// array for a float4.
template <class Parameter>
inline Parameter argument(const void *place) {
    static_assert(__is_trivially_copyable(Parameter),
                  "a kernel's parameters are copied as plain bytes");
    Parameter value;
    memcpy(static_cast<void *>(&value), place, sizeof(Parameter));
    return value;
}

// The positions of this many parameters: 0 and up.
template <size_t... Position>
struct places {};

template <size_t count, size_t... Position>
struct places_below : places_below<count - 1, count - 1, Position...> {};

template <size_t... Position>
struct places_below<0, Position...> {
    using type = places<Position...>;
};

// Runs threads one after another up to the limit. A thread that waits stops this loop; the scheduler then restarts the loop on
// another fiber, and resumes this one when its thread may continue.
template <class... Parameters, size_t... Position>
inline __attribute__((always_inline)) void run(context *block, void (*kernel)(Parameters...),
                                               places<Position...>) {
    current = block;
    blockIdx = block->block_index;
    blockDim = block->block_size;
    gridDim = block->grid_size;
    while (block->next < block->limit) {
        const uint3 index = block->next_index;
        uint3 following = index;
        if (++following.x == block->block_size.x) {
            following.x = 0;
            if (++following.y == block->block_size.y) {
                following.y = 0;
                ++following.z;
            }
        }
        block->next_index = following;
        turns[block->next] = 0;
        ++block->next;
        threadIdx = index;
        kernel(argument<Parameters>(block->arguments[Position])...);
    }
}

template <class... Parameters>
inline __attribute__((always_inline)) void run(context *block, void (*kernel)(Parameters...)) {
    run(block, kernel, typename places_below<sizeof...(Parameters)>::type{});
}

// Runs one part of a kernel in plain loops: a block of one thread, which never waits.
template <class... Parameters, size_t... Position>
inline __attribute__((always_inline)) void run_part(context *block,
                                                    void (*kernel)(unsigned int, Parameters...),
                                                    places<Position...>) {
    current = block;
    blockIdx = block->block_index;
    blockDim = block->block_size;
    gridDim = block->grid_size;
    threadIdx = block->next_index;
    ++block->next;
    kernel(block->block_index.x, argument<Parameters>(block->arguments[Position])...);
}

template <class... Parameters>
inline __attribute__((always_inline)) void run_part(context *block,
                                                    void (*kernel)(unsigned int, Parameters...)) {
    run_part(block, kernel, typename places_below<sizeof...(Parameters)>::type{});
}

// The size of the parameter at this index; 0 past the last parameter.
template <class... Parameters>
constexpr uint32_t parameter_size(void (*)(Parameters...), uint32_t place) {
    constexpr uint32_t sizes[] = {static_cast<uint32_t>(sizeof(Parameters))..., 0};
    return place < sizeof...(Parameters) ? sizes[place] : 0;
}

// The same for a kernel in plain loops, whose first parameter is the part.
template <class... Parameters>
constexpr uint32_t parameter_size_in_loops(void (*)(unsigned int, Parameters...), uint32_t place) {
    return parameter_size(static_cast<void (*)(Parameters...)>(nullptr), place);
}

}  // namespace td_cpu

// The symbols that the library exports for a function. The macro is used after the source.
#define TD_CPU_EXPORT(kernel, run, parameter_size)                                         \
    extern "C" __attribute__((visibility("default"))) void td_cpu_run_##kernel(            \
        td_cpu::context *block) {                                                          \
        td_cpu::run(block, kernel);                                                        \
    }                                                                                      \
    extern "C" __attribute__((visibility("default"))) uint32_t td_cpu_parameters_##kernel( \
        uint32_t place) {                                                                  \
        return td_cpu::parameter_size(kernel, place);                                      \
    }

#define TD_CPU_ENTRY(kernel) TD_CPU_EXPORT(kernel, run, parameter_size)

// The same for a kernel in plain loops.
#define TD_CPU_LOOPS(kernel) TD_CPU_EXPORT(kernel, run_part, parameter_size_in_loops)

#endif
