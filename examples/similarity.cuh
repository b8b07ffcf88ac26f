// The distance of two rows from its square. For rows of length 1, scaled by 1 / unit, the cosine of the angle between them instead:
// 1 - |p - q|² / 2 loses no digits at small angles.
inline float value_of(float square, float unit, unsigned is_cosine)
{
    if (!is_cosine)
        return unit * sqrtf(square);
    float cosine = fmaf(-0.5f * unit * square, unit, 1.0f);
    return cosine < -1.0f ? -1.0f : cosine; // rounding may take it a little past the end
}
