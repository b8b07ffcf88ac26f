// Adds one number of an array to its exact sum. This is a call: a copy for each number would make long code that takes too many
// registers.
static __device__ __noinline__ void td_add_component_float(
    unsigned long long *const digits, const unsigned int stride, const unsigned int element, const float value)
{
    td_add_exact_float(digits, stride, element, value);
}
