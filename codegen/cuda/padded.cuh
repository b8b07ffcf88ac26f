// An array with 16 more bytes after it, so that the threads of a warp read the arrays of neighbouring elements without bank
// conflicts.
template <typename Array>
struct td_padded : Array {
    uint4 padding;

    __device__ __forceinline__ void operator=(const Array &array) { *(Array *)this = array; }
};
