// Elements of neighbouring columns, from which each thread reads four side by side, wherever the first one is.
// They lie in seven lines by their place modulo 4, of which the last three repeat the first three one place on: so the
// four are always a line apart, and threads that are neighbours read what lies side by side. Elements of 12 bytes have
// places of 16, so that each is read at once.
template <typename T, unsigned int places>
struct td_columns {
    struct alignas(sizeof(T) == 12 ? 16 : alignof(T)) slot {
        T element;
    };
    slot lines[7][places / 4];

    __device__ __forceinline__ void put(const unsigned int place, const T element)
    {
        lines[place % 4][place / 4].element = element;
        if (place >= 4 && place % 4 < 3)
            lines[place % 4 + 4][place / 4 - 1].element = element;
    }

    // The element `next` places after `place`.
    __device__ __forceinline__ T at(const unsigned int place, const unsigned int next = 0) const
    {
        const slot &found = lines[place % 4 + next % 4][place / 4 + next / 4];
        if constexpr (sizeof(T) == 12) {
            const uint4 bits = *(const uint4 *)&found;
            return *(const T *)&bits;
        } else {
            return found.element;
        }
    }
};
