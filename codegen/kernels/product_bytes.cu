//# The preparation of 8-bit integers for the sweep `product`.

//% macro prepare_bytes()
// Before the kernel: puts the features of each element in the order of parts. The words after them are zero.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_prepare(¶const unsigned int elements,¶const uint4 *const __restrict__ source,¶const unsigned int features,¶uint4 *const operands)
{
#include <constants>

    // Neighbouring threads write the words of neighbouring elements.
    const unsigned int thread = 32 * threadIdx.y + threadIdx.x, element = BLOCK_ELEMENTS * blockIdx.x + thread % BLOCK_ELEMENTS;
    if (element >= elements)
        return;
    const unsigned int words = (features + WORD - 1) / WORD, parts = (features + PART_FEATURES - 1) / PART_FEATURES;
    const uint4 *const from = source + (unsigned long long)element * words;
    uint4 *const to = operands + (unsigned long long)(element / TILE) * parts * PART_WORDS + element % TILE;
    for (unsigned int word = thread / BLOCK_ELEMENTS; word < PART_FEATURES / WORD * parts; word += 128 / BLOCK_ELEMENTS)
        to[TILE * word] = word < words ? from[word] : make_uint4(0, 0, 0, 0);
}
//% endmacro
