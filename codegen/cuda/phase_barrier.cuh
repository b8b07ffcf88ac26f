// A barrier in shared memory, on which bulk copies complete, from sm_90 on. Its phases follow each other. A thread that waits for
// the phase before the first one does not wait.
struct td_phase_barrier {
#if __CUDA_ARCH__ >= 900
    unsigned long long state;

    // By one thread. After all barriers a fence follows, and then the block's barrier.
    __device__ __forceinline__ void init(const unsigned int arrivals)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(this)), "r"(arrivals) : "memory");
    }
    static __device__ __forceinline__ void fence()
    {
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }

    __device__ __forceinline__ void wait(const unsigned int phase) const
    {
        unsigned int is_complete = 0;
        while (is_complete == 0)
            asm volatile("{ .reg .pred complete;"
                         " mbarrier.try_wait.parity.shared::cta.b64 complete, [%1], %2;"
                         " selp.u32 %0, 1, 0, complete; }"
                         : "=r"(is_complete)
                         : "r"(address_of(this)), "r"(phase % 2)
                         : "memory");
    }

    __device__ __forceinline__ void arrive()
    {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address_of(this)) : "memory");
    }

    // Arrives before copies of so many bytes.
    __device__ __forceinline__ void expect(const unsigned int bytes)
    {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(this)), "r"(bytes) : "memory");
    }

    __device__ __forceinline__ void copy(uint4 *const to, const uint4 *const from, const unsigned int bytes)
    {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(address_of(to)),
                     "l"(from), "r"(bytes), "r"(address_of(this))
                     : "memory");
    }

private:
    static __device__ __forceinline__ unsigned int address_of(const void *const shared)
    {
        return (unsigned int)__cvta_generic_to_shared(shared);
    }
#endif
};
