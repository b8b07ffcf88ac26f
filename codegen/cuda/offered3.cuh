// The three components of a vector, each of which keeps its own value.
template <typename Vector, typename Best>
struct td_offered3 {
    Best x, y, z;

    __device__ __forceinline__ void offer(const Vector &value)
    {
        x.offer(value.x);
        y.offer(value.y);
        z.offer(value.z);
    }
};
