// The floor of a kernel that computes: issues rounds * 8 * UNROLLED fused multiply-adds a thread.

// How often the eight multiply-adds stand in the loop's text. More make the loop's own instructions
// weigh less, until the text no longer fits the nearest cache of instructions.
#ifndef UNROLLED
#define UNROLLED 32
#endif

extern "C" __global__ void __launch_bounds__(256)
issue(const unsigned int rounds, const float factor, float *const never)
{
    // Eight chains that do not wait for each other: with 64 warps on a multiprocessor, some
    // instruction can be issued in every cycle.
    float chain[8];
    #pragma unroll
    for (unsigned int link = 0; link < 8; ++link)
        chain[link] = threadIdx.x + link;

    #pragma unroll 1
    for (unsigned int round = 0; round < rounds; ++round) {
        #pragma unroll
        for (unsigned int turn = 0; turn < UNROLLED; ++turn) {
            #pragma unroll
            for (unsigned int link = 0; link < 8; ++link)
                chain[link] = fmaf(chain[link], factor, factor);
        }
    }

    // Keeps the compiler from dropping the work. The sum of positive numbers that only grow is never
    // negative, which the compiler cannot know.
    float sum = 0;
    #pragma unroll
    for (unsigned int link = 0; link < 8; ++link)
        sum += chain[link];
    if (sum < 0)
        *never = sum;
}
