// The four components of a vector, each of which keeps its own value.
template <typename Vector, typename Best>
struct td_offered4 {
    Best x, y, z, w;

    __device__ __forceinline__ void offer(const Vector &value)
    {
        x.offer(value.x);
        y.offer(value.y);
        z.offer(value.z);
        w.offer(value.w);
    }
};
