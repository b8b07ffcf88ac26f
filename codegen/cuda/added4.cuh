// The four sums of a vector.
template <typename Vector, typename Sum>
struct td_added4 {
    Sum x, y, z, w;

    __device__ __forceinline__ void operator+=(const Vector &term)
    {
        x += term.x;
        y += term.y;
        z += term.z;
        w += term.w;
    }
    __device__ __forceinline__ void operator-=(const Vector &term)
    {
        x -= term.x;
        y -= term.y;
        z -= term.z;
        w -= term.w;
    }
};
