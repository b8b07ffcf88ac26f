// How far a product of two elements' features may be off: infinitely, where nothing is known.
struct td_dot_error {
    float value;

    __device__ __forceinline__ operator float() const { return value; }
};
