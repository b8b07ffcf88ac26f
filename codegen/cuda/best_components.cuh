// The components of a vector. Each component keeps its own value.
template <typename Vector, typename Best, unsigned int count>
struct td_best_components : td_components<Best, count> {
    __device__ __forceinline__ void offer(const Vector &value)
    {
        this->x.offer(value.x);
        this->y.offer(value.y);
        if constexpr (count > 2)
            this->z.offer(value.z);
        if constexpr (count > 3)
            this->w.offer(value.w);
    }
};
