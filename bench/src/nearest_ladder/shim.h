// What the steps of nearest neighbours need of CUDA, too: warps, whose threads vote and read each other's numbers.

#include <algorithm>
#include <bit>
#include <memory>

static thread_local unsigned int lane_of, warp_of;
static unsigned int told[32][32];
static std::vector<std::unique_ptr<std::barrier<>>> warps;

static unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
static unsigned long long max(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
static unsigned int __float_as_uint(float value) { return std::bit_cast<unsigned int>(value); }
static unsigned int __popc(unsigned int bits) { return std::popcount(bits); }

static void enter_warp()
{
    lane_of = threadIdx.x % 32;
    warp_of = threadIdx.x / 32;
}

static unsigned int __shfl_sync(unsigned int, unsigned int value, unsigned int from)
{
    enter_warp();
    told[warp_of][lane_of] = value;
    warps[warp_of]->arrive_and_wait();
    const unsigned int result = told[warp_of][from];
    warps[warp_of]->arrive_and_wait();
    return result;
}

static unsigned int __ballot_sync(unsigned int, bool vote)
{
    enter_warp();
    told[warp_of][lane_of] = vote;
    warps[warp_of]->arrive_and_wait();
    unsigned int votes = 0;
    for (unsigned int lane = 0; lane < 32; ++lane)
        votes |= told[warp_of][lane] << lane;
    warps[warp_of]->arrive_and_wait();
    return votes;
}

static unsigned int atomicAdd(unsigned int *sum, unsigned int value) { return std::atomic_ref(*sum).fetch_add(value); }
static void atomicAdd(float *sum, float value) { std::atomic_ref(*sum).fetch_add(value); }
