//# The sweep `filter`, for elements with features and a lower bound. Tensor cores multiply the 16-bit features of a tile's
//# rows and columns. The lower bound is computed from each product and the product's error bound. filter_nearest.cu and
//# filter_pairs.cu process the few pairs that pass.
//#
//# Global memory has the layout of shared memory. A part of a tile, which is some features of its elements, is contiguous:
//# the first 16-byte words of all elements, then the second words, and so on. Words of eight adjacent elements thus cover all
//# banks. Zeros pad the features and the elements.
//#
//# A block processes the columns of one row of tiles, one after another, and copies the next column meanwhile. It keeps the
//# row's features if they fit into two parts. A warp has 16 rows and all columns of a tile. A thread has two rows and 32
//# columns: its fragment of the tensor cores' result. It tests eight pairs together, and single pairs only if one of the
//# eight passes. Pairs that pass are listed in shared memory while there is room, so that warps do not wait for each other's
//# atomics.
//% extends "kernel.cu"
//% from "parts.cu" import outputs
//% from "over.cu" import index

{% block work %}each block a row of tiles and some columns, on tensor cores{% endblock %}

//% block earlier

// ${"At most the value that the pair pushes" if nearest else "Above 0 only if the pair changes nothing"}.
static __device__ __forceinline__ auto ${name}_lower_bound(¶${lower_parameters})
{
    return (
#include <lower>
    );
}
//% endblock

//% block stage
{% set near = nearest[0] if nearest else {"has_column": false} %}
{% set bounds = nearest|only("has_column") %}
{% set read_rows, read_columns = lower_elements + lower_rows, lower_elements + lower_columns %}

    // Two buffers for the rows' features and two for the columns': the part of one step is multiplied while the next is copied. On
    // sm_90, which has the memory, rows of two parts are multiplied in one step. Rows of at most two parts are copied once for all
    // columns.
    using part_copies = td_part_copies<PART_WORDS, THREADS>;
    uint4 *const row_buffers = td_dynamic_shared<(2 + 2 * part_copies::most) * PART_WORDS>(), *const column_buffers = row_buffers + 2 * PART_WORDS;
    // Two buffers for what the tests of a column read: its share of the error bound${", the bound of its neighbours" if near.has_column else ""}, and the elements of
    // the lower bound. Internal arrays are padded to a full tile. Reads of user arrays are clamped to the last element.
    alignas(16) __shared__ float staged_errors[2][TILE], zeros[TILE];
    // The rows' values that the tests read. They are in shared memory because the products need the registers.
    __shared__ float row_errors[TILE];
    ${nearest|lines("__shared__ @.type @_rows[TILE];")}
    ${read_rows|lines("__shared__ @.type @_rows[TILE];")}
    ${bounds|lines("alignas(16) __shared__ @.type @_tile[2][TILE];")}
    ${read_columns|lines("alignas(16) __shared__ @.type @_tile[2][TILE];")}
    // The pairs that passed, each as a number: the tile, the row, the column${", and two low bits for the elements whose bound it passed" if near.has_column else ""}.
    __shared__ unsigned int list[LIST_CAPACITY], length;

    const unsigned int lane = threadIdx.x, warp = threadIdx.y, thread = 32 * warp + lane;
    const unsigned int parts = features / PART_FEATURES + (features % PART_FEATURES > 0);
    const unsigned int step_parts = parts == 2 ? part_copies::most : 1, steps = step_parts == 2 ? 1 : parts;
    __shared__ td_phase_barrier barrier;
    const part_copies copies{&barrier};
    copies.init(thread);
    const auto fetch = [&](const unsigned int visit, const unsigned int step) {
        const unsigned int tile_j = tile_j_of(visit), buffer = (steps * visit + step) % 2 * PART_WORDS;
        // The index of a part among those of all tiles fits 32 bits: 2^32 parts would take 64 TiB.
        const uint4 *const row_source = ${domain.of_rows}halves + (unsigned long long)(tile_i * parts + step) * PART_WORDS;
        const uint4 *const column_source = ${domain.of_columns}halves + (unsigned long long)(tile_j * parts + step) * PART_WORDS;
        copies.start(row_buffers + buffer, visit == 0 || parts > 2 ? row_source : nullptr, column_buffers + step_parts * buffer, column_source, step_parts, thread);
        if (step == 0 && thread < TILE) {
            const unsigned int element = TILE * tile_j + thread;
            td_copy_async(&staged_errors[visit % 2][thread], ${domain.of_columns}factors + TILE * tile_j + element);
            ${bounds|lines("td_copy_async(&@_tile[visit % 2][thread], @_all + element);")}
            ${read_columns|lines("td_copy_async(&@_tile[visit % 2][thread], @_all + min(element, " ~ domain.all_columns ~ " - 1));")}
        }
    };
    if (thread < TILE) {
        zeros[thread] = 0;
        row_errors[thread] = ${domain.of_rows}factors[2 * TILE * tile_i + thread];
        ${nearest|lines("@_rows[thread] = @_all[TILE * tile_i + thread];")}
        ${read_rows|lines("@_rows[thread] = @_all[min(TILE * tile_i + thread, " ~ domain.rows ~ " - 1)];")}
    }
    if (thread == 0)
        length = 0;
    // The barrier and the list are initialised before any thread uses them.
    __syncthreads();
    fetch(0, 0);
//% endblock

//% block pairs
{% set near = nearest[0] if nearest else {"has_column": false} %}
{% set bounds = nearest|only("has_column") %}
{% set read_rows, read_columns = lower_elements + lower_rows, lower_elements + lower_columns %}

    // The thread's rows in a tile are top and top + 8; its columns are first + 8 c and first + 8 c + 1.
    const unsigned int top = 16 * warp + lane / 4, first = lane % 4 * 2;

    ${self.pair_function()}

#pragma unroll 1
    for (unsigned int visit = 0; visit < count; ++visit) {
        float products[16][4];
        // Whether some element of the two tiles has a scale: its share is negative.
        bool has_scales = false;
#pragma unroll 1
        for (unsigned int step = 0; step < steps; ++step) {
            const unsigned int turn = steps * visit + step;
            copies.wait(turn);
            // This step's parts have arrived, and no thread reads the previous ones any more.
            if (step > 0)
                __syncthreads();
            else
                has_scales = __syncthreads_or(thread < TILE && fminf(row_errors[thread], staged_errors[visit % 2][thread]) < 0);
            const bool is_last = step + 1 == steps;
            if (visit + is_last < count)
                fetch(visit + is_last, is_last ? 0 : step + 1);
            if (step == 0) {
                // A sum of products starts at its error bound, so that it is an upper bound. If it is scaled, the bound is added
                // after that.
                const float *const row_start = has_scales ? zeros : row_errors;
                const float *const column_start = has_scales ? zeros : staged_errors[visit % 2];
#pragma unroll
                for (unsigned int c = 0; c < 16; ++c) {
                    const auto of_column = *(const td_vector<float, 2> *)(column_start + first + 8 * c);
#pragma unroll
                    for (unsigned int k = 0; k < 4; ++k)
                        products[c][k] = row_start[top + k / 2 * 8] + of_column.value[k % 2];
                }
            }
            const unsigned int buffer = turn % 2 * PART_WORDS;
            if (step_parts == 2)
                td_multiply_part<td_multiply_add<false>, 2>(products, row_buffers, column_buffers + 2 * buffer);
            else
                td_multiply_part<td_multiply_add<false>>(products, row_buffers + (parts > 1 ? buffer : 0), column_buffers + buffer);
        }
        if (has_scales) {
            const float *const scales = ${domain.of_rows}factors + TILE * (2 * tile_i + 1);
#pragma unroll
            for (unsigned int c = 0; c < 16; ++c) {
                const unsigned int column = first + 8 * c;
                const auto column_error = *(const td_vector<float, 2> *)&staged_errors[visit % 2][column];
                const auto column_scale = *(const td_vector<float, 2> *)(${domain.of_columns}factors + TILE * (2 * tile_j_of(visit) + 1) + column);
#pragma unroll
                for (unsigned int k = 0; k < 4; ++k)
                    products[c][k] = __fmaf_ru(products[c][k], scales[top + k / 2 * 8] * column_scale.value[k % 2], __fadd_ru(fabsf(row_errors[top + k / 2 * 8]), fabsf(column_error.value[k % 2])));
            }
        }

//% if nearest
        ${near.type} limit[2];
//% endif
//% if lower_uses.error
        float error[2];
//% endif
        ${read_rows|lines("@.type @_row[2];")}
//% if nearest or lower_uses.error or read_rows
#pragma unroll
        for (unsigned int r = 0; r < 2; ++r) {
            const unsigned int offset = top + 8 * r;
            ${nearest|lines("limit[r] = @_rows[offset];")}
            ${"error[r] = fabsf(row_errors[offset]);" if lower_uses.error else ""}
            ${read_rows|lines("@_row[r] = @_rows[offset];")}
        }

//% endif
//% if nearest
        // A bit for each of the thread's 64 pairs: whether it passes the bound of its row's element${", and of its column's" if near.has_column else ""}.
        unsigned int row_bits[2]{}${", column_bits[2]{}" if near.has_column else ""};
//% else
        // A bit for each of the thread's 64 pairs: whether it passes, because its lower bound is not above 0.
        unsigned int passed[2]{};
//% endif
#pragma unroll
        for (unsigned int c = 0; c < 16; c += 2) {
            ${bounds|lines("td_vector<@.type, 2> bound[2];")}
//% if lower_uses.error
            // The sum includes the error bound once. Subtracting the error bound twice gives a lower bound of the product.
            td_vector<float, 2> column_error[2];
//% endif
            ${read_columns|lines("td_vector<@.type, 2> @_col[2];")}
//% if bounds or lower_uses.error or read_columns
#pragma unroll
            for (unsigned int next = 0; next < 2; ++next) {
                const unsigned int offset = first + 8 * (c + next);
                ${bounds|lines("bound[next] = *(const td_vector<@.type, 2> *)&@_tile[visit % 2][offset];")}
                ${"column_error[next] = *(const td_vector<float, 2> *)&staged_errors[visit % 2][offset];" if lower_uses.error else ""}
                ${read_columns|lines("@_col[next] = *(const td_vector<@.type, 2> *)&@_tile[visit % 2][offset];")}
            }
//% endif
            // Eight pairs are tested together, and one by one only if one of them passes. A pair with a NaN passes.
            bool any = false;
#pragma unroll
            for (unsigned int k = 0; k < 8; ++k) {
                ${indices_of_pair()}
                any |= !(${name}_lower_bound(¶${lower_arguments}) > ${"max(limit[k / 2 % 2], bound[k / 4].value[k % 2])" if near.has_column else "limit[k / 2 % 2]" if nearest else "0"});
            }
            if (any) {
#pragma unroll
                for (unsigned int k = 0; k < 8; ++k) {
                    ${indices_of_pair()}
//% if near.has_column
                    const auto lower = ${name}_lower_bound(¶${lower_arguments});
                    row_bits[c / 8] |= (unsigned int)!(lower > limit[k / 2 % 2]) << (4 * (c % 8) + k);
                    column_bits[c / 8] |= (unsigned int)!(lower > bound[k / 4].value[k % 2]) << (4 * (c % 8) + k);
//% else
                    ${"row_bits" if nearest else "passed"}[c / 8] |= (unsigned int)!(${name}_lower_bound(¶${lower_arguments}) > ${"limit[k / 2 % 2]" if nearest else "0"}) << (4 * (c % 8) + k);
//% endif
                }
            }
        }
        ${self.passed_pairs()}
    }
    ${self.remaining_pairs()}
//% endblock

//# Indices are clamped to the last element, because a user's slice may end there.
//% macro indices_of_pair()
${index("i", "min(TILE * tile_i + top + k / 2 % 2 * 8, " ~ domain.rows ~ " - 1)", lower_uses.i)}
${index("j", "min(TILE * tile_j_of(visit) + first + 8 * c + k / 4 * 8 + k % 2, " ~ domain.all_columns ~ " - 1)", lower_uses.j)}
//% endmacro

//% block others

// Before ${"the first round" if nearest else "the kernel"}: a warp for each element rounds the features to 16-bit floats and computes the element's share of the error
// bound of a product. Let x' be x with rounded features, e(x) = |x' - x|, and X the larger of |x|^2 and |x'|^2. Then
//
//     |x'y' - xy| <= |x'| e(y) + e(x) |y| <= t X / 2 + e(x)^2 / (2 t) + t Y / 2 + e(y)^2 / (2 t)
//
// for every t. The t below is a typical e(x) / |x|. Tensor cores add an error below 7 (features + 12) 2^-26 (X + Y), because
// they truncate terms at the last bit of the largest one. Rounded norms, sums of squares and lower bounds can make the square
// of a distance smaller by (3 features + 11) 2^-25 (X + Y); a folded product is off by less. Past 2^18 features, or if the
// sum of squares is not 0 and not within 2^-80 .. 2^100, the bound is infinite.
//
// Features are divided by the row's scale before they are rounded: x' is the rounded quotient times the scale. The scale is 1 if
// the greatest feature is within 2^-6 .. 2^15, and otherwise a power of two near it, which the sign of the share marks.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_prepare(¶const unsigned int elements,¶const uint4 *const __restrict__ source,¶const unsigned int features,¶uint4 *const halves,¶float *const factors)
{
#include <constants>

    const unsigned int element = BLOCK_ELEMENTS * blockIdx.x + threadIdx.y;
    if (element >= elements)
        return;
    const unsigned int words = features / WORD + (features % WORD > 0), parts = features / PART_FEATURES + (features % PART_FEATURES > 0);
    const float *const from = (const float *)(source + (unsigned long long)element * words);
    // Sums of squares are rounded up.
    float greatest = 0, square = 0;
    for (unsigned int k = threadIdx.x; k < features; k += 32) {
        greatest = fmaxf(greatest, fabsf(from[k]));
        square = __fmaf_ru(from[k], from[k], square);
    }
#pragma unroll
    for (unsigned int step = 16; step > 0; step /= 2) {
        greatest = fmaxf(greatest, __shfl_xor_sync(0xffffffff, greatest, step));
        square = __fadd_ru(square, __shfl_xor_sync(0xffffffff, square, step));
    }
    const bool valid = features <= 1u << 18 && (square == 0 || (square >= 0x1p-80f && square <= 0x1p100f));
    const bool has_scale = valid && square != 0 && !(greatest >= 0x1p-6f && greatest < 0x1p15f);
    // The bits of the greatest feature's power of two. Those of 1 are 127 << 23.
    const unsigned int exponent = has_scale ? __float_as_uint(greatest) & 0x7f800000u : 127u << 23;
    const float scale = __uint_as_float(exponent), inverse = __uint_as_float((2 * 127u << 23) - exponent);
    // The sums of squares of the features in 16 bits and of their rounding errors, which are exact differences. Tensor cores align
    // products by their exponent fields, so that a subnormal half counts as 2^-14.
    float rounded = 0, difference = 0;
    for (unsigned int k = threadIdx.x; valid && k < features; k += 32) {
        const float value = from[k], converted = td_f16(value * inverse) * scale;
        const float counted = converted == 0 ? 0.0f : fmaxf(fabsf(converted), 0x1p-14f * scale);
        rounded = __fmaf_ru(counted, counted, rounded);
        difference = __fmaf_ru(converted - value, converted - value, difference);
    }
#pragma unroll
    for (unsigned int step = 16; step > 0; step /= 2) {
        rounded = __fadd_ru(rounded, __shfl_xor_sync(0xffffffff, rounded, step));
        difference = __fadd_ru(difference, __shfl_xor_sync(0xffffffff, difference, step));
    }
    if (threadIdx.x == 0) {
        const float t = 0x1.8p-13f, accumulation = __fmul_ru(0x4p-24f, (float)features + 16);
        const float error = __fmaf_ru(max(square, rounded), __fadd_ru(t / 2, accumulation), __fdiv_ru(difference, 2 * t));
        float *const of_tile = factors + element / TILE * (2 * TILE) + element % TILE;
        of_tile[0] = !valid ? __uint_as_float(0x7f800000) : has_scale ? -error : error;
        of_tile[TILE] = scale;
    }
    uint4 *const to = halves + (unsigned long long)(element / TILE) * parts * PART_WORDS + element % TILE;
    for (unsigned int word = threadIdx.x; word < PART_FEATURES / HALVES * parts; word += 32) {
        unsigned int pairs[HALVES / 2];
#pragma unroll
        for (unsigned int k = 0; k < HALVES; k += 2) {
            const unsigned int next = HALVES * word + k;
            const td_f16 low(valid && next < features ? from[next] * inverse : 0.0f), high(valid && next + 1 < features ? from[next + 1] * inverse : 0.0f);
            pairs[k / 2] = low.bits | (unsigned int)high.bits << 16;
        }
        to[TILE * word] = make_uint4(pairs[0], pairs[1], pairs[2], pairs[3]);
    }
}
    ${self.refine()}
//% endblock

//# The blocks that differ.
//% if false
//# The function for a pair that passed.
{% block pair_function %}{% endblock %}
//# What happens to the pairs of a tile that passed.
{% block passed_pairs %}{% endblock %}
//# And after the last tile.
{% block remaining_pairs %}{% endblock %}
//# Another function, which evaluates them.
{% block refine %}{% endblock %}
//% endif
