// Whether a pair belongs on the list.
struct td_pushed {
    bool value = false;

    __device__ __forceinline__ void push() { value = true; }
};
