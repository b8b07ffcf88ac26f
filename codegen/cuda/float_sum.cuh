// A thread's part of a sum of floats, by Kahan summation. Each addition stores by how much it was rounded up, and the
// next one subtracts that. The error stays below two roundings of the sum of the terms' magnitudes, and hardly grows
// with their number.
struct td_float_sum {
    float value = 0;
    float excess = 0;

    __device__ __forceinline__ void operator+=(const float term)
    {
        const float corrected = term - excess;
        const float sum = value + corrected;
        // Keep an infinite sum infinite: its excess would turn the next sum into a NaN.
        excess = isinf(sum) ? 0 : (sum - value) - corrected;
        value = sum;
    }
    __device__ __forceinline__ void operator-=(const float term) { *this += -term; }

    __device__ __forceinline__ double total() const { return (double)value - excess; }
};
