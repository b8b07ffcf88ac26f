// The floor of a kernel that writes: stores `count` vectors of 16 bytes and does nothing else.

// Each thread stores four vectors, a block's width apart, so that every store of a warp is one whole
// stretch of 512 bytes and few blocks have to be started.
extern "C" __global__ void __launch_bounds__(256)
fill(const unsigned long long count, float4 *const out)
{
    const unsigned long long first = blockIdx.x * 1024ull + threadIdx.x;
    const float4 value = make_float4(1, 2, 3, 4);
    #pragma unroll
    for (unsigned int part = 0; part < 4; ++part) {
        const unsigned long long slot = first + 256 * part;
        if (slot < count)
            out[slot] = value;
    }
}
