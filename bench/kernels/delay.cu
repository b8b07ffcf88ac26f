// Keeps the stream busy while the host puts the launches that are timed behind it. Without it, short
// kernels would wait for the host, and the time between two events would be the host's.
extern "C" __global__ void delay(const unsigned int cycles)
{
    const long long start = clock64();
    while (clock64() - start < cycles)
        ;
}
