// The sums of a vector's components.
template <typename Vector, typename Sum, unsigned int count>
struct td_sums : td_components<Sum, count> {
    __device__ __forceinline__ void operator+=(const Vector &term)
    {
        this->x += term.x;
        this->y += term.y;
        if constexpr (count > 2)
            this->z += term.z;
        if constexpr (count > 3)
            this->w += term.w;
    }
    __device__ __forceinline__ void operator-=(const Vector &term)
    {
        this->x -= term.x;
        this->y -= term.y;
        if constexpr (count > 2)
            this->z -= term.z;
        if constexpr (count > 3)
            this->w -= term.w;
    }
};
