// Whether a pair within many sets belongs on the list, with its set as the value.
struct td_pushed_in_set : td_pushed_of<unsigned int> {
    __device__ __forceinline__ explicit td_pushed_in_set(const unsigned int set) { value = set; }
    __device__ __forceinline__ void push() { is_pushed = true; }
};
