// What pairs add to one element: a thread's part of its sum.
template <typename T>
struct td_added {
    T value = 0;

    __device__ __forceinline__ void operator+=(const T term) { value += term; }
    __device__ __forceinline__ void operator-=(const T term) { value -= term; }
};
