// The sum of the floats of a few pairs, at most eight, which a thread adds to its part of the sum in one step.
struct td_partial {
    float value = 0;

    __device__ __forceinline__ void operator+=(const float term) { value += term; }
    __device__ __forceinline__ void operator-=(const float term) { value -= term; }

    // Returns the sum, and resets it to zero.
    __device__ __forceinline__ float take()
    {
        const float sum = value;
        value = 0;
        return sum;
    }
};
