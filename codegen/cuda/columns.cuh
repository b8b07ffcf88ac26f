// Elements of neighbouring columns, from which each thread reads four side by side, wherever the first one is.
// They lie in seven lines by their place modulo 4, of which the last three repeat the first three one place on: so the
// four are always `stride` apart, and threads that are neighbours read what lies side by side.
template <typename T, unsigned int places>
struct td_columns {
    static constexpr unsigned int stride = places / 4;
    T elements[7 * stride];

    __device__ __forceinline__ void put(const unsigned int place, const T element)
    {
        elements[place % 4 * stride + place / 4] = element;
        if (place >= 4 && place % 4 < 3)
            elements[(place % 4 + 4) * stride + place / 4 - 1] = element;
    }

    // The element `next` places after `place`.
    __device__ __forceinline__ const T &at(const unsigned int place, const unsigned int next = 0) const
    {
        return elements[(place % 4 + next % 4) * stride + place / 4 + next / 4];
    }
};
