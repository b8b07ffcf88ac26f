// In the body `quick`, `exact()` leaves the pair to the bodies `feature` and `pair`.
struct td_exact {
    bool &is_called;

    __device__ __forceinline__ void operator()() const { is_called = true; }
};
