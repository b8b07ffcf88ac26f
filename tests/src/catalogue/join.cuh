static __device__ Count join(const Count &a, const Count &b)
{
    return Count{a.pairs + b.pairs, {a.sums[0] + b.sums[0], a.sums[1] + b.sums[1]}};
}
