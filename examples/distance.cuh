// The distance of two points of up to four coordinates. Each coordinate is two floats, a rounded value and its rounding error, so
// that close points far from zero keep their digits. On a sphere, points are vectors of length 1 from its centre, and the distance
// is that along a great circle: the angle from the lengths of the difference and of the sum is exact for near points and for
// opposite ones.
inline float distance(float4 p, float4 p_low, float4 q, float4 q_low, float unit, unsigned is_sphere)
{
    float x = p.x - q.x + (p_low.x - q_low.x), y = p.y - q.y + (p_low.y - q_low.y);
    float z = p.z - q.z + (p_low.z - q_low.z), w = p.w - q.w + (p_low.w - q_low.w);
    float length = sqrtf(fmaf(w, w, fmaf(z, z, fmaf(y, y, x * x))));
    if (!is_sphere)
        return unit * length;
    x = p.x + q.x + (p_low.x + q_low.x);
    y = p.y + q.y + (p_low.y + q_low.y);
    z = p.z + q.z + (p_low.z + q_low.z);
    return 2.0f * unit * atan2f(length, sqrtf(fmaf(z, z, fmaf(y, y, x * x))));
}
