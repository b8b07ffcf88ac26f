// The fourth step of a paper's nearest neighbours: the least K of each line of values, a row or a column of a partition. A
// block has a line, and parts it by a pivot until K values are on its left: 32 threads at a time vote on which of their values
// go there, and write these to the one end of what is left, and the others to the other end. Values stand with their indices
// in one word, in whose order no two are alike.

// Setting: THREADS of a block.

// The most values that are selected.
#define MOST 256

#define WARP 0xffffffffu

// A value and an index: an unsigned number in the order of values, and then of indices.
static __device__ __forceinline__ unsigned long long key(const float value, const unsigned int index)
{
    const unsigned int bits = __float_as_uint(value);
    const unsigned int rank = bits >> 31 ? ~bits : bits | 1u << 31;
    return (unsigned long long)rank << 32 | index;
}

// Which of three is between the others.
static __device__ __forceinline__ unsigned long long median(const unsigned long long a, const unsigned long long b,
                                                            const unsigned long long c)
{
    const unsigned long long less = min(a, b), more = max(a, b);
    return max(less, min(more, c));
}

// `values` has `count` values in each line, `value_step` apart; lines are `line_step` apart. A value's index is its place in
// the line after `first_index`; where it is that of the line after `first_line`, it is the line's own, and no neighbour.
// `scratch` has room for 2 * count keys of each line, and `best` for k, ascending, all bits of which are set where there is
// none.
extern "C" __global__ void __launch_bounds__(THREADS)
nearest_select(const unsigned int count, const unsigned int k, const unsigned int line_step,
               const unsigned int value_step, const unsigned int first_line, const unsigned int first_index,
               const float *__restrict__ const values, unsigned long long *const scratch, unsigned long long *const best)
{
    __shared__ unsigned long long selected[MOST];
    __shared__ unsigned int left, right;

    const unsigned int lane = threadIdx.x % 32;
    const float *const line = values + (unsigned long long)blockIdx.x * line_step;
    unsigned long long *from = scratch + 2ull * count * blockIdx.x, *to = from + count;
    for (unsigned int at = threadIdx.x; at < count; at += THREADS) {
        const unsigned int index = first_index + at;
        const bool is_own = index == first_line + blockIdx.x;
        from[at] = is_own ? ~0ull : key(line[(unsigned long long)at * value_step], index);
    }
    __syncthreads();

    // What is selected so far, and how many keys are left to select from.
    unsigned int done = 0, size = count;
    while (done < k && size > k - done) {
        const unsigned long long first = from[0], last = from[size - 1];
        // Of two keys the lesser, so that one is always on the right; of three the middle one is never the last.
        const unsigned long long pivot = size == 2 ? min(first, last) : median(first, from[size / 2], last);
        if (threadIdx.x == 0)
            left = right = 0;
        __syncthreads();
        for (unsigned int begin = threadIdx.x - lane; begin < size; begin += THREADS) {
            const unsigned int at = begin + lane;
            const bool is_there = at < size;
            const unsigned long long own = is_there ? from[at] : 0;
            const bool is_left = is_there && own <= pivot, is_right = is_there && !is_left;
            const unsigned int lefts = __ballot_sync(WARP, is_left), rights = __ballot_sync(WARP, is_right);
            unsigned int left_start = 0, right_start = 0;
            if (lane == 0) {
                left_start = atomicAdd(&left, __popc(lefts));
                right_start = atomicAdd(&right, __popc(rights));
            }
            left_start = __shfl_sync(WARP, left_start, 0);
            right_start = __shfl_sync(WARP, right_start, 0);
            const unsigned int before = (1u << lane) - 1;
            if (is_left)
                to[left_start + __popc(lefts & before)] = own;
            if (is_right)
                to[size - 1 - (right_start + __popc(rights & before))] = own;
        }
        __syncthreads();
        const unsigned int lefts = left;
        unsigned long long *rest = to;
        if (lefts <= k - done) {
            // All of these are selected, and what is missing is on the right.
            for (unsigned int at = threadIdx.x; at < lefts; at += THREADS)
                selected[done + at] = to[at];
            done += lefts;
            size -= lefts;
            rest += lefts;
        } else {
            size = lefts;
        }
        to = from;
        from = rest;
        __syncthreads();
    }
    if (done < k) {
        for (unsigned int at = threadIdx.x; at < size; at += THREADS)
            selected[done + at] = from[at];
        done += size;
    }
    __syncthreads();

    // Each counts those before it.
    unsigned long long *const out = best + (unsigned long long)blockIdx.x * k;
    for (unsigned int at = threadIdx.x; at < k; at += THREADS)
        if (at < done) {
            unsigned int place = 0;
            for (unsigned int other = 0; other < done; ++other)
                place += selected[other] < selected[at];
            out[place] = selected[at];
        } else {
            out[at] = ~0ull;
        }
    __syncthreads();
}
