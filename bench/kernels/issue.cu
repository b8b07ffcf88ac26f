// The floor of a kernel that computes: issues the instructions that a pair needs, rounds * UNROLLED times a thread.

// Settings, of a pair: FMAS, ROOTS and MINIMA, its multiply-adds, reciprocal square roots, and minima of two floats. Additions and
// multiplications are issued at the rate of multiply-adds; a root or a minimum takes one place in the queue of instructions too, and
// several cycles of a unit of its own. UNROLLED, how often its instructions stand in the loop's text. More make the loop's own
// instructions weigh less, until the text no longer fits the nearest cache of instructions.

// Chains that do not wait for each other: with 64 warps on a multiprocessor, some instruction can be
// issued in every cycle.
#define CHAINS 8

extern "C" __global__ void __launch_bounds__(256)
issue(const unsigned int rounds, const float factor, float *const never)
{
    float chain[CHAINS], root[CHAINS], least[CHAINS];
    #pragma unroll
    for (unsigned int link = 0; link < CHAINS; ++link)
        chain[link] = root[link] = least[link] = threadIdx.x + link;

    #pragma unroll 1
    for (unsigned int round = 0; round < rounds; ++round) {
        #pragma unroll
        for (unsigned int turn = 0; turn < UNROLLED; ++turn) {
            #pragma unroll
            for (unsigned int link = turn * FMAS; link < (turn + 1) * FMAS; ++link)
                chain[link % CHAINS] = fmaf(chain[link % CHAINS], factor, factor);
            #pragma unroll
            for (unsigned int link = turn * ROOTS; link < (turn + 1) * ROOTS; ++link)
                // The instruction alone, without what `rsqrtf` does for numbers below the normal ones.
                asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(root[link % CHAINS]));
            #pragma unroll
            for (unsigned int link = turn * MINIMA; link < (turn + 1) * MINIMA; ++link)
                least[link % CHAINS] = fminf(least[link % CHAINS], chain[link % CHAINS]);
        }
    }

    // Keeps the compiler from dropping the work. The sum of positive numbers is never negative, which the
    // compiler cannot know.
    float sum = 0;
    #pragma unroll
    for (unsigned int link = 0; link < CHAINS; ++link)
        sum += chain[link] + root[link] + least[link];
    if (sum < 0)
        *never = sum;
}
