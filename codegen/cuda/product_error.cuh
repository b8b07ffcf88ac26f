// At most how much a product of features is off that `fmaf` adds up, if the magnitudes of its terms add up to `magnitude`.
static __device__ __forceinline__ float td_product_error(const float magnitude, const unsigned int features)
{
    return features <= 1u << 18 ? 0x1.04p-24f * (features + 1) * magnitude : __uint_as_float(0x7f800000u);
}
