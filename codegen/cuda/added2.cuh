// The two sums of a vector.
template <typename Vector, typename Sum>
struct td_added2 {
    Sum x, y;

    __device__ __forceinline__ void operator+=(const Vector &term)
    {
        x += term.x;
        y += term.y;
    }
    __device__ __forceinline__ void operator-=(const Vector &term)
    {
        x -= term.x;
        y -= term.y;
    }
};
