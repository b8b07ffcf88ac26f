// The same for one of the many numbers of an array, as a call: a copy for each of them would be long code that takes too many
// registers.
static __device__ __noinline__ void td_add_component_float(
    unsigned long long *const digits, const unsigned int stride, const unsigned int element, const float value)
{
    td_add_exact_float(digits, stride, element, value);
}
