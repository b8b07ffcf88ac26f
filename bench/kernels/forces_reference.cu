// Softened gravity on each body (x, y, z, mass) in double precision, as plainly as possible: what the other kernels are
// checked against. The sums of the magnitudes say how large a difference roundings explain.

extern "C" __global__ void __launch_bounds__(128)
forces_reference(const unsigned int n, const float4 *__restrict__ const bodies, const float softening,
                 double3 *const accelerations, double3 *const magnitudes)
{
    const unsigned int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n)
        return;
    const float4 at = bodies[i];
    double3 sum = make_double3(0, 0, 0), magnitude = make_double3(0, 0, 0);
    for (unsigned int j = 0; j < n; ++j) {
        const float4 body = bodies[j];
        const double dx = (double)body.x - at.x, dy = (double)body.y - at.y, dz = (double)body.z - at.z;
        const double square = dx * dx + dy * dy + dz * dz + softening;
        const double pull = body.w / (square * sqrt(square));
        sum.x += pull * dx;
        sum.y += pull * dy;
        sum.z += pull * dz;
        magnitude.x += pull * fabs(dx);
        magnitude.y += pull * fabs(dy);
        magnitude.z += pull * fabs(dz);
    }
    accelerations[i] = sum;
    magnitudes[i] = magnitude;
}
