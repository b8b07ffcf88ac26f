// At most how much a product of features is off that `fmaf` adds up, if the magnitudes of its terms add up to `magnitude`: each
// step rounds, and below 2^-126 it is off by up to 2^-150.
static __device__ __forceinline__ float td_product_error(const float magnitude, const unsigned int features)
{
    return features <= 1u << 18 ? 0x1.05p-24f * (features + 1) * magnitude + 0x1p-149f * features : __uint_as_float(0x7f800000u);
}
