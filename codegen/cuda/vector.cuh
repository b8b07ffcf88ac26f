// Adjacent values that a thread reads or writes at once. They are aligned to the largest power of two that divides their
// size, up to 16 bytes.
template <typename T, unsigned int count, unsigned int bytes = sizeof(T) * count>
struct alignas((bytes & -bytes) < 16 ? (bytes & -bytes) : 16) td_vector {
    T value[count];
};
