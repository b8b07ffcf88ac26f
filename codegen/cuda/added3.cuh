// The three sums of a vector.
template <typename Vector, typename Sum>
struct td_added3 {
    Sum x, y, z;

    __device__ __forceinline__ void operator+=(const Vector &term)
    {
        x += term.x;
        y += term.y;
        z += term.z;
    }
    __device__ __forceinline__ void operator-=(const Vector &term)
    {
        x -= term.x;
        y -= term.y;
        z -= term.z;
    }
};
