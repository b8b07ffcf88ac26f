// The product of two elements' features, roughly, and how far it may be off. What tensor cores give is the sum of both, since they
// begin with the error: so that sum is there already, and the product by itself is what is left of it.
struct td_dot {
    float most, error;

    __device__ __forceinline__ operator float() const { return error <= 3.402823466e+38f ? most - error : 0.0f; }
    __device__ __forceinline__ friend float operator+(const td_dot dot, td_dot_error) { return dot.most; }
    __device__ __forceinline__ friend float operator+(td_dot_error, const td_dot dot) { return dot.most; }
};
