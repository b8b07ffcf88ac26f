// Elements of neighbouring columns, of which each thread reads some side by side, wherever the first one is. They lie in
// four planes by their place modulo 4: so neighbouring threads, whose columns are four apart, read what lies side by side.
template <typename T, unsigned int places>
struct td_columns {
    T planes[4][places / 4];

    __device__ __forceinline__ void put(const unsigned int place, const T &element)
    {
        planes[place % 4][place / 4] = element;
    }

    // The element `next` places after `place`.
    __device__ __forceinline__ const T &at(const unsigned int place, const unsigned int next = 0) const
    {
        const unsigned int first = place + next % 4;
        return planes[first % 4][first / 4 + next / 4];
    }
};
