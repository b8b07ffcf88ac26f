//# The sweep that filters, for elements with features where the user gives a lower bound. Tensor cores multiply the features of a
//# tile's rows and columns, in bfloat16; the lower bound follows from the product and from how far it may be off. What becomes of
//# the few pairs that may count is in filter_nearest.cu and in filter_pairs.cu.
//#
//# The features lie in memory as a tile's shared memory has them: a tile's part, some features of its elements, is one piece,
//# in which the first words of 16 bytes of all elements come first, then their second words: so eight elements side by side
//# have a word in all banks. Zeros follow the last feature and the last element.
//#
//# A block keeps a row of tiles, if its features are at most two parts, and meets columns one after another, each while the next is
//# on its way. A warp has 16 rows with all columns of a tile, and a thread two rows with 32 columns: those places of the products
//# that the tensor cores leave to it. It asks for the bounds of eight pairs at a time, and looks at single ones only where some of
//# the eight pass. These, as far as there is room, wait in shared memory: no warp waits for another one's atomics.
//% extends "kernel.cu"

{% block work %}a block a row of tiles with some columns, by tensor cores{% endblock %}

//% block lower

// ${"Not greater than what the pair pushes" if nearest else "Above 0 only where the pair changes nothing"}.
static __device__ __forceinline__ auto ${name}_lower(¶${lower_parameters})
{
    return (
#include <lower>
    );
}
//% endblock

//% block stage
{% set near = nearest[0] if nearest else {"has_column": false} %}
{% set of = ["row_", "column_"] if domain.is_rectangle else ["", ""] %}
{% set last_column = (domain.columns if domain.is_rectangle else domain.rows) ~ " - 1" %}

    // Two buffers for parts of the features of the tile's rows, and two of its columns: one part is multiplied while the next is copied.
    // Rows with at most two parts stay there for all columns.
    uint4 *const row_buffers = td_shared<4 * PART_WORDS>(), *const column_buffers = row_buffers + 2 * PART_WORDS;
    // Two buffers of what a column's pairs are tested with: the share in a product's error${", the bound of its neighbours" if near.has_column else ""}, and what the
    // lower bound reads. The kernel's own arrays go on to the end of a tile; of the user's, the last element is read again.
    alignas(16) __shared__ float staged_errors[2][TILE];
//% if near.has_column
    alignas(16) __shared__ ${near.type} ${near.name}_tile[2][TILE];
//% endif
//% for each in lower_elements + lower_columns
    alignas(16) __shared__ ${each.type} ${each.name}_tile[2][TILE];
//% endfor
    // ${"Pairs that may be near" if nearest else "Pairs that are left"}, each as one number: the tile, the row and the column${", and in the low bits for which of both elements" if near.has_column else ""}.
    __shared__ unsigned int list[LIST_CAPACITY], listed;

    const unsigned int lane = threadIdx.x, warp = threadIdx.y, thread = 32 * warp + lane;
    const unsigned int parts = features / PART_FEATURES + (features % PART_FEATURES > 0);
    __shared__ unsigned long long barrier;
    const td_parts copies{&barrier};
    copies.open(thread);
    const auto fetch = [&](const unsigned int at, const unsigned int part) {
        const unsigned int col = column(at), buffer = (parts * at + part) % 2 * PART_WORDS;
        const uint4 *const row_source = ${of[0]}halves + ((unsigned long long)row * parts + part) * PART_WORDS;
        const uint4 *const column_source = ${of[1]}halves + ((unsigned long long)col * parts + part) * PART_WORDS;
        copies.begin(row_buffers + buffer, at == 0 || parts > 2 ? row_source : nullptr, column_buffers + buffer, column_source, thread);
        if (part == 0 && thread < TILE) {
            const unsigned int element = TILE * col + thread;
            td_copy(&staged_errors[at % 2][thread], ${of[1]}errors + element);
//% if near.has_column
            td_copy(&${near.name}_tile[at % 2][thread], ${near.name}_all + element);
//% endif
//% for each in lower_elements + lower_columns
            td_copy(&${each.name}_tile[at % 2][thread], ${each.name}_all + min(element, ${last_column}));
//% endfor
        }
    };
    if (thread == 0)
        listed = 0;
    // No thread uses the barrier or the list before it is set.
    __syncthreads();
    fetch(0, 0);
//% endblock

//% block pairs
{% set near = nearest[0] if nearest else {"has_column": false} %}
{% set errors = "row_errors" if domain.is_rectangle else "errors" %}

    // In a tile, the thread's rows are top and top + 8, and its columns first + 8 c and first + 8 c + 1.
    const unsigned int top = 16 * warp + lane / 4, first = lane % 4 * 2;
    float error[2];
//% if nearest
    ${near.type} limit[2];
//% endif
//% for each in lower_elements + lower_rows
    ${each.type} ${each.name}_row[2];
//% endfor
#pragma unroll
    for (unsigned int r = 0; r < 2; ++r) {
        const unsigned int element = TILE * row + top + 8 * r;
        error[r] = ${errors}[element];
//% if nearest
        limit[r] = ${near.name}_all[element];
//% endif
//% for each in lower_elements + lower_rows
        ${each.name}_row[r] = ${each.name}_all[min(element, ${domain.rows} - 1)];
//% endfor
    }

    ${self.found()}

#pragma unroll 1
    for (unsigned int at = 0; at < met; ++at) {
        float products[16][4];
#pragma unroll 1
        for (unsigned int part = 0; part < parts; ++part) {
            const unsigned int step = parts * at + part;
            copies.wait(step);
            // This part is there, and the one before it is not needed any more.
            __syncthreads();
            const bool is_last = part + 1 == parts;
            if (at + is_last < met)
                fetch(at + is_last, is_last ? 0 : part + 1);
            if (part == 0) {
                // A sum of products begins with how far it may be off.
#pragma unroll
                for (unsigned int c = 0; c < 16; ++c) {
                    const auto column_error = *(const td_few<float, 2> *)&staged_errors[at % 2][first + 8 * c];
#pragma unroll
                    for (unsigned int k = 0; k < 4; ++k)
                        products[c][k] = error[k / 2] + column_error.value[k % 2];
                }
            }
            td_multiply_part(products, row_buffers + (parts > 1 ? step % 2 * PART_WORDS : 0), column_buffers + step % 2 * PART_WORDS);
        }

//% if nearest
        // A bit for each of the thread's 64 pairs: whether it may be near its row's element${", and its column's" if near.has_column else ""}.
        unsigned int row_bits[2]{}${", column_bits[2]{}" if near.has_column else ""};
//% else
        // A bit for each of the thread's 64 pairs: whether it is left, since its lower bound is not above 0.
        unsigned int passed[2]{};
//% endif
#pragma unroll
        for (unsigned int c = 0; c < 16; c += 2) {
//% if near.has_column
            td_few<${near.type}, 2> bound[2];
//% endif
//% if lower_uses.error
            // The sum includes the error once. Minus twice the error, it is a lower bound of the product.
            td_few<float, 2> column_error[2];
//% endif
//% for each in lower_elements + lower_columns
            td_few<${each.type}, 2> ${each.name}_col[2];
//% endfor
//% if near.has_column or lower_uses.error or lower_elements or lower_columns
#pragma unroll
            for (unsigned int next = 0; next < 2; ++next) {
                const unsigned int offset = first + 8 * (c + next);
//% if near.has_column
                bound[next] = *(const td_few<${near.type}, 2> *)&${near.name}_tile[at % 2][offset];
//% endif
//% if lower_uses.error
                column_error[next] = *(const td_few<float, 2> *)&staged_errors[at % 2][offset];
//% endif
//% for each in lower_elements + lower_columns
                ${each.name}_col[next] = *(const td_few<${each.type}, 2> *)&${each.name}_tile[at % 2][offset];
//% endfor
            }
//% endif
            // Eight pairs are tested together, and one by one only if some of them passes. A NaN rules no pair out.
            bool found = false;
#pragma unroll
            for (unsigned int k = 0; k < 8; ++k) {
                ${indices_of_pair()}
                found |= !(${name}_lower(¶${lower_arguments}) > ${"max(limit[k / 2 % 2], bound[k / 4].value[k % 2])" if near.has_column else "limit[k / 2 % 2]" if nearest else "0"});
            }
            if (found) {
#pragma unroll
                for (unsigned int k = 0; k < 8; ++k) {
                    ${indices_of_pair()}
//% if near.has_column
                    const auto least = ${name}_lower(¶${lower_arguments});
                    row_bits[c / 8] |= (unsigned int)!(least > limit[k / 2 % 2]) << (4 * (c % 8) + k);
                    column_bits[c / 8] |= (unsigned int)!(least > bound[k / 4].value[k % 2]) << (4 * (c % 8) + k);
//% else
                    ${"row_bits" if nearest else "passed"}[c / 8] |= (unsigned int)!(${name}_lower(¶${lower_arguments}) > ${"limit[k / 2 % 2]" if nearest else "0"}) << (4 * (c % 8) + k);
//% endif
                }
            }
        }
        ${self.noted()}
    }
    ${self.rest()}
//% endblock

//# Past the last element the last one again: a slice of the user's may have no more.
//% macro indices_of_pair()
//% if lower_uses.i
const unsigned int i = min(TILE * row + top + k / 2 % 2 * 8, ${domain.rows} - 1);
//% endif
//% if lower_uses.j
const unsigned int j = min(TILE * column(at) + first + 8 * c + k / 4 * 8 + k % 2, ${domain.columns if domain.is_rectangle else domain.rows} - 1);
//% endif
//% endmacro

//% block others

// Before ${"the first round" if nearest else "the kernel"}: the features as tensor cores take them, by a warp for each element, and the element's share in the
// error of a product. Where x' is x with its features rounded, e(x) = |x' - x| and X the larger one of |x|^2 and |x'|^2,
//
//     |x'y' - xy| <= |x'| e(y) + e(x) |y| <= t X / 2 + e(x)^2 / (2 t) + t Y / 2 + e(y)^2 / (2 t)
//
// for every t, of which this one is about what e(x) / |x| mostly is. To the sum of x'y' tensor cores add less than
// (features + 16) 2^-22 (X + Y), since they cut off what is below the last bit of the largest of some terms. And with norms, sums
// of squares and lower bounds all rounded, a square of a distance may be less by (3 features + 11) 2^-25 (X + Y), or a folded
// product be off by less than that. Where one of these cannot be said, the error may be anything.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_prepare(¶const unsigned int elements,¶const uint4 *const __restrict__ all,¶const unsigned int features,¶uint4 *const halves,¶float *const errors)
{
#include <constants>

    const unsigned int element = BLOCK_ELEMENTS * blockIdx.x + threadIdx.y;
    if (element >= elements)
        return;
    const unsigned int words = features / WORD + (features % WORD > 0), parts = features / PART_FEATURES + (features % PART_FEATURES > 0);
    const float *const from = (const float *)(all + (unsigned long long)element * words);
    // Sums of squares, rounded up: of the features, of the features in bfloat16, and of their differences.
    float square = 0, rounded = 0, difference = 0;
    for (unsigned int k = threadIdx.x; k < features; k += 32) {
        const float value = from[k], other = __uint_as_float(td_brief(0.0f, value));
        square = __fmaf_ru(value, value, square);
        rounded = __fmaf_ru(other, other, rounded);
        difference = __fmaf_ru(other - value, other - value, difference);
    }
#pragma unroll
    for (unsigned int step = 16; step > 0; step /= 2) {
        square = __fadd_ru(square, __shfl_xor_sync(0xffffffff, square, step));
        rounded = __fadd_ru(rounded, __shfl_xor_sync(0xffffffff, rounded, step));
        difference = __fadd_ru(difference, __shfl_xor_sync(0xffffffff, difference, step));
    }
    const bool known = features <= 1u << 18 && (square == 0 || (square >= 0x1p-80f && square <= 0x1p100f));
    if (threadIdx.x == 0) {
        const float t = 0x1.8p-10f, of_sums = __fmul_ru(0x6p-24f, (float)features + 16);
        const float error = __fmaf_ru(max(square, rounded), __fadd_ru(t / 2, of_sums), __fdiv_ru(difference, 2 * t));
        errors[element] = known ? error : __uint_as_float(0x7f800000);
    }
    uint4 *const to = halves + (unsigned long long)(element / TILE) * parts * PART_WORDS + element % TILE;
    for (unsigned int word = threadIdx.x; word < PART_FEATURES / HALVES * parts; word += 32) {
        float value[HALVES];
#pragma unroll
        for (unsigned int k = 0; k < HALVES; ++k)
            value[k] = known && HALVES * word + k < features ? from[HALVES * word + k] : 0;
        to[TILE * word] = make_uint4(¶td_brief(value[0], value[1]),¶td_brief(value[2], value[3]),¶td_brief(value[4], value[5]),¶td_brief(value[6], value[7]));
    }
}
    ${self.refine()}
//% endblock

//# The blocks that differ.
//% if false
//# What is done with a pair that was found.
{% block found %}{% endblock %}
//# What becomes of the pairs of a tile that are left.
{% block noted %}{% endblock %}
//# And after the last tile.
{% block rest %}{% endblock %}
//# Another function, which evaluates them.
{% block refine %}{% endblock %}
//% endif
