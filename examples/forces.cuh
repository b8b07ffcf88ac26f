// The vector from q to p. Each coordinate is two floats, a rounded value and its rounding error, so that close atoms far from zero
// keep their digits.
inline float3 difference(float4 p, float4 p_low, float4 q, float4 q_low)
{
    float x = p.x - q.x + (p_low.x - q_low.x);
    float y = p.y - q.y + (p_low.y - q_low.y);
    float z = p.z - q.z + (p_low.z - q_low.z);
    return make_float3(x, y, z);
}

// The shortest of such vectors in a periodic cell with these edges. An infinite edge does not repeat.
inline float3 nearest_image(float3 d, float3 edges)
{
    d.x -= isinf(edges.x) ? 0 : edges.x * rintf(d.x / edges.x);
    d.y -= isinf(edges.y) ? 0 : edges.y * rintf(d.y / edges.y);
    d.z -= isinf(edges.z) ? 0 : edges.z * rintf(d.z / edges.z);
    return d;
}

inline float squared_norm(float3 d) { return fmaf(d.z, d.z, fmaf(d.y, d.y, d.x * d.x)); }

// The energy of a pair of atoms, and the force on the first one.
struct Pair {
    float energy;
    float3 force;
};

// A Lennard-Jones pair, softened as by T. C. Beutler and others (Chem. Phys. Lett. 222 (1994), 529): with u = 1 / (0.1 + (r / σ)⁶)
// the energy is 4 depth (u² - u). Its minimum, -depth, is at the distance `touching`.
inline Pair soft_pair(float3 d, float touching, float depth)
{
    // 1 / σ²; the constant is the third root of 1.9.
    float inverse = 1.23856233f / (touching * touching);
    float square = squared_norm(d) * inverse;
    float u = 1.0f / fmaf(square * square, square, 0.1f);
    float us = u * square;
    float factor = 24.0f * depth * fmaf(2.0f, u, -1.0f) * us * us * inverse;
    return {4.0f * depth * fmaf(u, u, -u), make_float3(factor * d.x, factor * d.y, factor * d.z)};
}
