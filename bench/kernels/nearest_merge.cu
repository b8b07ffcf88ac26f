// The last step of a paper's nearest neighbours: the K least of a line's so far, and those of one more partition, into one
// list of K. Both ascend; all bits are set where there is none.

// Setting: THREADS of a block, which has a line.

// The most of a list.
#define MOST 256

// How many of a list come before this one.
static __device__ __forceinline__ unsigned int before(const unsigned long long *const list, const unsigned int k,
                                                      const unsigned long long own)
{
    unsigned int least = 0, most = k;
    while (least < most) {
        const unsigned int middle = (least + most) / 2;
        if (list[middle] < own)
            least = middle + 1;
        else
            most = middle;
    }
    return least;
}

extern "C" __global__ void __launch_bounds__(THREADS)
nearest_merge(const unsigned int k, const unsigned long long *__restrict__ const more, unsigned long long *const best)
{
    __shared__ unsigned long long lists[2][MOST];

    unsigned long long *const line = best + (unsigned long long)blockIdx.x * k;
    for (unsigned int at = threadIdx.x; at < k; at += THREADS) {
        lists[0][at] = line[at];
        lists[1][at] = more[(unsigned long long)blockIdx.x * k + at];
    }
    __syncthreads();
    for (unsigned int at = threadIdx.x; at < 2 * k; at += THREADS) {
        const bool is_more = at >= k;
        const unsigned int own = is_more ? at - k : at;
        const unsigned int place = own + before(lists[!is_more], k, lists[is_more][own]);
        // No two are alike, but those that are none: of these it makes no difference which comes first.
        if (place < k)
            line[place] = lists[is_more][own];
    }
    __syncthreads();
}
