// A few 16-bit floats, constructed from floats: `{a, b}`.
template <typename T, unsigned int count>
struct alignas(count % 2 == 0 ? count * sizeof(T) : sizeof(T)) td_floats : td_components<T, count> {
    td_floats() = default;
    template <typename... Floats>
    __device__ __forceinline__ td_floats(const Floats... values) : td_components<T, count>{T((float)values)...}
    {
        static_assert(sizeof...(values) == count, "a vector needs a value for each component");
    }
};
