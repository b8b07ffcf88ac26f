// Reinterprets the bytes as a value of another type.
template <typename T, typename Bytes>
static __device__ __forceinline__ T td_bit_cast(const Bytes &bytes)
{
    static_assert(sizeof(T) == sizeof(Bytes), "the bytes are those of a value");
    T value;
    memcpy(&value, &bytes, sizeof(value));
    return value;
}
