// As much of CUDA as the kernels over features need, with a thread of the system's for each thread of a block.

#include <atomic>
#include <barrier>
#include <cmath>
#include <cstdio>
#include <limits>
#include <thread>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static
#define __align__(bytes) __attribute__((aligned(bytes)))

struct alignas(16) float4 {
    float x, y, z, w;
};

struct Place {
    unsigned int x, y;
};

static thread_local Place threadIdx, blockIdx;
static std::barrier<> *barrier;

static float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
static void __syncthreads() { barrier->arrive_and_wait(); }
static void __stcs(float *slot, float value) { *slot = value; }
static unsigned int min(unsigned int a, unsigned int b) { return a < b ? a : b; }

static void atomicAdd(unsigned long long *sum, unsigned long long value)
{
    std::atomic_ref(*sum).fetch_add(value);
}

static void atomicMin(unsigned long long *least, unsigned long long value)
{
    std::atomic_ref all(*least);
    unsigned long long old = all.load();
    while (value < old && !all.compare_exchange_weak(old, value)) {
    }
}

// All blocks, one after another: a thread may begin with the next one while others are still in the last, since a kernel
// with shared memory ends it with a barrier.
template <typename Kernel, typename... Arguments>
static void run(Place grid, Place block, Kernel kernel, Arguments... arguments)
{
    const unsigned int count = block.x * block.y;
    std::barrier<> all(count);
    barrier = &all;
    std::vector<std::jthread> threads;
    for (unsigned int thread = 0; thread < count; ++thread)
        threads.emplace_back([=] {
            threadIdx = {thread % block.x, thread / block.x};
            for (unsigned int unit = 0; unit < grid.x * grid.y; ++unit) {
                blockIdx = {unit % grid.x, unit / grid.x};
                kernel(arguments...);
            }
        });
}

static int wrong(const char *words, double number)
{
    std::printf("%s: %g\n", words, number);
    return 1;
}

// Runs a kernel and checks it, by hand and with the kernel that checks.
template <typename Fold, typename Check>
static int test(const unsigned int (&sizes)[3], bool dot, bool root, bool packed, double share, Fold fold, Check check)
{
    const auto [rows, columns, features] = sizes;
    std::vector<float4> of_rows(rows * features / 4), of_columns(columns * features / 4);
    float *const a = &of_rows[0].x, *const b = packed ? a : &of_columns[0].x;
    unsigned int state = 1;
    const auto fill = [&](std::vector<float4> &values) {
        for (float4 &value : values)
            for (float *number : {&value.x, &value.y, &value.z, &value.w})
                *number = float((state = state * 1664525 + 1013904223) >> 8) / (1 << 24);
    };
    fill(of_rows);
    fill(of_columns);

    // Behind the last slot nothing may be written.
    const size_t slots = packed ? size_t(rows) * (rows - 1) / 2 : size_t(rows) * columns, behind = 256;
    std::vector<float> out(slots + behind, std::numeric_limits<float>::quiet_NaN());
    fold(rows, columns, features, (const float *)a, (const float *)b, out.data());
    for (size_t slot = slots; slot < slots + behind; ++slot)
        if (!std::isnan(out[slot]))
            return wrong("written behind the last slot", slot);

    size_t slot = 0;
    for (unsigned int i = 0; i < rows; ++i)
        for (unsigned int j = 0; j < (packed ? i : columns); ++j, ++slot) {
            double sum = 0;
            for (unsigned int k = 0; k < features; ++k) {
                const double x = a[i * features + k], y = b[j * features + k];
                sum += dot ? x * y : (x - y) * (x - y);
            }
            const double expected = root ? std::sqrt(sum) : sum;
            if (!(std::fabs(out[slot] - expected) <= share * expected))
                return wrong("another result in slot", slot);
        }

    const auto found = [&] {
        unsigned long long result[2] = {0, ~0ull};
        check(rows, columns, features, (const float4 *)a, (const float4 *)b, share, (const float *)out.data(), result);
        return std::vector(result, result + 2);
    };
    if (found()[0] != 0)
        return wrong("the check finds what is not wrong, in slot", found()[1]);
    out[slots / 3] *= 1 + 3 * share;
    out[slots / 2] = std::numeric_limits<float>::quiet_NaN();
    if (found() != std::vector<unsigned long long>{2, slots / 3})
        return wrong("the check does not find what is wrong", found()[0]);
    return 0;
}
