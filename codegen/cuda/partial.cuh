// The floats of a few pairs, at most eight of them, which a thread adds to its part of the sum at once.
struct td_partial {
    float value = 0;

    __device__ __forceinline__ void operator+=(const float term) { value += term; }
    __device__ __forceinline__ void operator-=(const float term) { value -= term; }

    // Their sum, which then restarts at zero.
    __device__ __forceinline__ float taken()
    {
        const float sum = value;
        value = 0;
        return sum;
    }
};
