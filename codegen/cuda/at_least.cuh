// A number that a rounded sum of distances or of their squares is not below. It is finite, as the exact sum may be. A NaN
// remains one.
template <typename Real>
static __device__ __forceinline__ Real td_at_least(const Real sum)
{
    constexpr Real greatest = td_distance_of<Real>::greatest, factor = 1 - td_distance_of<Real>::margin;
    return (sum > greatest ? greatest : sum) * factor;
}
