// A few neighbouring values, which a thread reads and writes at once: at multiples of their bytes, or of as many of these
// as a power of two, up to 16.
template <typename T, unsigned int count, unsigned int bytes = sizeof(T) * count>
struct alignas((bytes & -bytes) < 16 ? (bytes & -bytes) : 16) td_few {
    T value[count];
};
