// The number of an element's cell in the order in which a curve visits the cells of a grid. The grid has as many cells in
// each direction, from `frame[0]` on with `frame[1]` cells in a unit, and so on. Elements outside belong to the next cell.
// Those that are not finite come last.
template <unsigned int dimensions>
static __device__ __forceinline__ unsigned int td_morton(const double (&coordinates)[dimensions], const double *const frame)
{
    constexpr unsigned int levels = 30 / dimensions;
    unsigned int code = 0;
    bool is_finite = true;
#pragma unroll
    for (unsigned int d = 0; d < dimensions; ++d) {
        is_finite &= fabs(coordinates[d]) <= 0x1.fffffffffffffp1023;
        const double cell = (coordinates[d] - frame[2 * d]) * frame[2 * d + 1];
        const unsigned int bits = (unsigned int)min(max(cell, 0.0), (double)((1u << levels) - 1));
#pragma unroll
        for (unsigned int level = 0; level < levels; ++level)
            code |= (bits >> level & 1) << (dimensions * level + d);
    }
    return is_finite ? code : 0xffffffff;
}
