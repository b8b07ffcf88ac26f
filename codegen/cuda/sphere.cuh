// Angles between points of a sphere, which are latitudes and longitudes in radians.
struct td_sphere {
    static constexpr double circle = 6.283185307179586;

    // At most the angle between a point of one box and one of another, from the gaps of their latitudes and longitudes in this
    // circle, by the haversine formula. The least cosine of a box's latitudes is at an end of them.
    template <typename Real, typename T, typename Other>
    static __device__ __forceinline__ Real angle(
        const Real latitude, const Real longitude, const T lo_i, const T hi_i, const Other lo_j, const Other hi_j)
    {
        const Real below_i = -(Real)lo_i, above_i = hi_i, below_j = -(Real)lo_j, above_j = hi_j;
        const Real end_i = below_i > above_i ? below_i : above_i, end_j = below_j > above_j ? below_j : above_j;
        const Real cos_i = cos(end_i), cos_j = cos(end_j), x = sin(latitude / 2), y = sin(longitude / 2);
        const Real product = (cos_i > 0 ? cos_i : 0) * (cos_j > 0 ? cos_j : 0);
        // A latitude that is a pole's, rounded up, counts as the pole: that changes an angle by less than the margins of the gaps.
        // Further past a pole cosines are negative, and the bound is 0.
        const bool is_past = end_i > (Real)1.570797 || end_j > (Real)1.570797;
        const Real square = is_past ? 0 * (x + y) : x * x + product * y * y;
        // The margin is 2^-17 of the square, and so at least 2^-18 of the angle. With sines and cosines within 2 units in the last
        // place, a square has an error below 2^-19, here and in a body that computes it. So the margin also suffices near the
        // antipode, where an angle has larger errors than its square, and the arcsine's argument is below 1.
        // A body that computes with floats may have lost a square that is subnormal.
        if (square < td_distance_of<Real>::least)
            return 0;
        return 2 * asin(sqrt(square * (1 - 8 * td_distance_of<Real>::margin)));
    }
};
