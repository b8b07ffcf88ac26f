// The energy of a pair of atoms, and its force, divided by the distance.
struct Pair {
    float energy, force;
};

inline Pair lennard_jones(float squared_distance)
{
    if (squared_distance > CUTOFF * CUTOFF)
        return {0.0f, 0.0f};
    float inverse = 1.0f / squared_distance;
    float sixth = inverse * inverse * inverse;
    return {4.0f * sixth * (sixth - 1.0f), 24.0f * inverse * sixth * (2.0f * sixth - 1.0f)};
}

inline float squared_norm(float3 d) { return d.x * d.x + d.y * d.y + d.z * d.z; }
