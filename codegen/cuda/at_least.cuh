// A lower bound of an exact sum of distances or of their squares, from the rounded one. An infinite sum becomes the largest finite
// number, because the exact sum may be finite. A NaN remains one.
template <typename Real>
static __device__ __forceinline__ Real td_at_least(const Real sum)
{
    constexpr Real greatest = td_distance_of<Real>::greatest, factor = 1 - td_distance_of<Real>::margin;
    return sum < td_distance_of<Real>::least ? 0 : (sum > greatest ? greatest : sum) * factor;
}
