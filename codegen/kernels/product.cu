//# The sweep `product`, for products of features. Tensor cores multiply 16-bit floats and add 32-bit floats. A 32-bit feature is
//# scaled by its row's power of two and split into the sum of two 16-bit floats. Products are added up part by part. Rows of 16-bit
//# floats are scaled, too, if they are small.
//#
//# Global memory has the layout of shared memory. A part of a tile, which is 32 features of its elements, or 64 features of 16
//# bits, is contiguous: the first eight 16-bit floats of all elements, then the next eight, and so on. The low halves of 32-bit
//# features follow after the high ones. Words of eight adjacent elements thus cover all banks.
//#
//# Blocks are persistent. One warp fills the parts of the next tile while the other eight multiply and store the current one.
//# A warp has 16 rows and all columns of a tile. After the last part it writes eight rows of its products to shared memory at a
//# time. Neighbouring threads then read the products of neighbouring pairs, whose values they store contiguously.
//% extends "kernel.cu"
//% from "product_bytes.cu" import prepare_bytes
//% from "parts.cu" import evaluate, folded_pair, folded_words, outputs, result, single_pair, slot
//% from "over.cu" import within

{% block work %}on tensor cores{% endblock %}

//% block earlier
//% if quick

// Evaluates a pair by the product of its features. A pair that calls `exact` is left to the pair function.
static __device__ __forceinline__ void ${name}_quick(¶${quick.parameters})
{
//% if not is_integer
    // A pair of a row without a scale has no product.
    if (exact.is_called)
        return;
//% endif
#include <quick>
}

// Folds the features of a pair that called `exact`. Inlined, it would take registers from the kernel.
static __device__ __noinline__ void ${name}_fold(¶const uint4 *const ${row_features[0].name}_rows,¶const uint4 *const ${column_features[0].name}_cols,¶${quick.fold_parameters})
{
#include <constants>

    ${folded_words()}
}
//% endif
//% endblock

{% block bounds %}
//% if is_integer
// Without the 1, NVRTC 13.5 limits registers to those of two blocks per multiprocessor, and spills some.
extern "C" __global__ void __launch_bounds__(${threads}, 1)
//% else
// The 1 lets a block use all registers. On other GPUs than sm_90, whose tensor cores read shared memory, the compiler then loads
// so many operands early that it spills registers.
extern "C" __global__ void __launch_bounds__(${threads}, __CUDA_ARCH__ == 900 ? 1 : 0)
//% endif
{% endblock %}

//% block stage

    // Parts of rows and of columns in shared memory, and after them the products that each warp stages.
    constexpr unsigned int BUFFER_WORDS = 2 * td_product_stages<PART_WORDS, STAGES>::count * PART_WORDS;
    uint4 *const buffers = td_dynamic_shared<BUFFER_WORDS + WARPS * STAGED_ROWS * STAGED_PAIRS / 4>();
    __shared__ td_phase_barrier full[STAGES], empty[STAGES];
    const unsigned int lane = threadIdx.x, warp = threadIdx.y, thread = 32 * warp + lane;
    const unsigned int parts = (features + PART_FEATURES - 1) / PART_FEATURES;
    td_product_stages<PART_WORDS, STAGES> stages{buffers, full, empty};
    stages.init(thread);
    if (warp == WARPS) {
        // This warp fills shared memory for the others.
#pragma unroll 1
        for (unsigned long long lambda = blockIdx.x; lambda < units; lambda += gridDim.x) {
            const td_tile tile = locate(lambda);
            const uint4 *row_part = ${domain.of_rows}${operands} + (unsigned long long)tile.i * parts * PART_WORDS;
            const uint4 *column_part = ${domain.of_columns}${operands} + (unsigned long long)tile.j * parts * PART_WORDS;
#pragma unroll 1
            for (unsigned int part = 0; part < parts; ++part) {
                stages.fill(row_part, column_part, lane);
                row_part += PART_WORDS;
                column_part += PART_WORDS;
            }
        }
        return;
    }
    ${number}(*const staged)[STAGED_PAIRS] = (${number}(*)[STAGED_PAIRS])(buffers + BUFFER_WORDS) + STAGED_ROWS * warp;
//% endblock

//% block pairs

#pragma unroll 1
    for (unsigned long long lambda = blockIdx.x; lambda < units; lambda += ${"td_grid_width()" if has_wide_sums else "gridDim.x"}) {
        const td_tile tile = locate(lambda);
        const unsigned int tile_i = tile.i, tile_j = tile.j;
        ${number} products[16][4]{};
#pragma unroll 1
        for (unsigned int part = 0; part < parts; ++part) {
            const uint4 *const rows_of_part = stages.wait();
            ${multiply}(products, rows_of_part, rows_of_part + PART_WORDS);
            stages.release(thread);
        }

        // The thread's columns${"" if is_integer else ", with their scales and shares of an error" if dot.has_error else ", with their scales"}.
        const unsigned int first = TILE * tile_j + lane;
//% if not is_integer
        float2 column_factor[SEGMENTS];
//% endif
        ${column_elements|only("is_kept")|lines("@.type @_col[SEGMENTS];")}
#pragma unroll
        for (unsigned int segment = 0; segment < SEGMENTS; ++segment) {~
            ${"" if is_integer else "column_factor[segment] = " ~ domain.of_columns ~ "factors[first + 32 * segment];"}
            ${column_elements|only("is_kept")|lines("@_col[segment] = @_all[min(first + 32 * segment, " ~ domain.all_columns ~ " - 1)];")}
        ~}
        ${result.begin_column("[SEGMENTS]")}
//% if is_short
//% if is_integer
        // Whether every pair of the warp is inside the ${domain.area}.
        const bool is_interior = ${domain.interior};
//% else
        // Whether every pair of the warp is inside the ${domain.area}, and all of its rows and columns have a scale.
        float scales = ${domain.of_rows}factors[TILE * tile_i + WARP_ROWS * warp + lane % WARP_ROWS].x;
#pragma unroll
        for (unsigned int segment = 0; segment < SEGMENTS; ++segment)
            scales += column_factor[segment].x;
        const bool is_interior = ${domain.interior} && __all_sync(0xffffffff, scales == scales);
//% endif
//% endif
//% if quick
        // The thread's pairs that called `exact`, in each group of rows: bit SEGMENTS * line + segment.
        unsigned int left[WARP_ROWS / STAGED_ROWS]{};
//% endif
#pragma unroll
        for (unsigned int group = 0; group < WARP_ROWS / STAGED_ROWS; ++group) {
            // Products of row l / 4 and columns 8 c + 2 (l % 4) and the next one are in lane l.
            __syncwarp();
#pragma unroll
            for (unsigned int c = 0; c < 16; ++c)
                *(${number}2 *)&staged[lane / 4][8 * c + 2 * (lane % 4)] = make_${number}2(products[c][2 * group], products[c][2 * group + 1]);
            __syncwarp();
            const unsigned int top = TILE * tile_i + WARP_ROWS * warp + STAGED_ROWS * group;
//% if is_short
            if (is_interior) {
#pragma unroll ${1 if quick or nearest or has_wide_sums else 4}
                ${lines(true)}
            } else {
                // With a filter: only pairs ${domain.inside}.
#pragma unroll 1
                ${lines(false)}
            }
//% else
#pragma unroll 1
            ${lines(false)}
//% endif
        }
//% if quick
        ${left_pairs()}
//% endif
        ${within("#pragma unroll\nfor (unsigned int segment = 0; segment < SEGMENTS; ++segment)", result.end_columns("@_col[segment]", "first + 32 * segment"))|paragraph("// Add the results of the thread's columns to the results of the elements.")}
    }
//% endblock

//# The pairs of the warp's staged rows.
//% macro lines(is_interior)
for (unsigned int line = 0; line < STAGED_ROWS; ++line) {
    const unsigned int i = top + line;
//% if not is_integer
    const float2 row_factor = ${domain.of_rows}factors[i];
//% endif
    ${row_elements|only("is_kept")|lines("const @.type @_row = @_all[min(i, " ~ domain.rows ~ " - 1)];")}
//% if row_slots
    const unsigned long long start = ${domain.row_start("i")} + first;
//% endif
    ${result.begin_row()}
#pragma unroll
    for (unsigned int segment = 0; segment < SEGMENTS; ++segment) {
//% if is_interior
        ${pair(true, "first + 32 * segment")}
//% else
        const unsigned int j = first + 32 * segment;
        if (${domain.has("i", "j", diagonal)}) {~
            ${pair(false, "j")}
        ~}
        if (i == j && ${domain.has_row("i")}) {~
            ${slot.store_diagonal()}
        ~}
//% endif
    }
    ${result.gather_lanes("32", "lane")}
}
//% endmacro

//# The pairs that called `exact`, each by a thread of the warp.
//% macro left_pairs()

        // Two words of 32 bits.
        static_assert(WARP_ROWS / STAGED_ROWS == 2 && STAGED_ROWS * SEGMENTS == 32);
        if (__any_sync(0xffffffff, left[0] | left[1])) {
            // They are listed in place of products: the row in the warp's rows, and the column in the tile.
            unsigned short *const list = (unsigned short *)staged;
            unsigned int count = 0;
            __syncwarp();
#pragma unroll
            for (unsigned int group = 0; group < WARP_ROWS / STAGED_ROWS; ++group) {
#pragma unroll 1
                for (unsigned int bit = 0; bit < 32; ++bit) {
                    const bool is_left = left[group] >> bit & 1;
                    const unsigned int lanes = __ballot_sync(0xffffffff, is_left);
                    if (is_left)
                        list[count + __popc(lanes & ((1u << lane) - 1))] = TILE * STAGED_ROWS * group + 32 * bit + lane;
                    count += __popc(lanes);
                }
            }
            __syncwarp();
#pragma unroll 1
            for (unsigned int k = lane; k < count; k += 32) {
                const unsigned int entry = list[k];
                const unsigned int i = TILE * tile_i + WARP_ROWS * warp + entry / TILE, j = TILE * tile_j + entry % TILE;
                ${folded_pair()}
                ${single_pair()}
            }
        }
//% endmacro

//# One pair. Its product is not a number only if one of its rows has no scale.
//% macro pair(is_interior, j)
//% if is_integer
const int product = staged[line][32 * segment + lane];
//% else
//% set const = "const " if is_interior or quick else ""
${const}float product = staged[line][32 * segment + lane] * (row_factor.x * column_factor[segment].x);
//% if dot.has_error
${const}float error = row_factor.y * column_factor[segment].y;
//% endif
//% endif
//% if quick
${quick_pair(is_interior, j)}
//% else
${whole_pair(is_interior, j)}
//% endif
${slot.store_pair("start + 32 * segment", j)}
//% endmacro

//# A pair that is evaluated by its product, if it does not call `exact`. Otherwise it changes nothing but its slots, which are
//# written again.
//% macro quick_pair(is_interior, j)
bool is_exact = ${"false" if is_interior or is_integer else "product != product"};
${outputs.save("@_row", "@_col[segment]")}
${slot.begin_pair()}
${evaluate("i", j, "@_all[i]", "@_all[" ~ j ~ "]", kept_row="@_row", kept_column="@_col[segment]", column_result="@_col[segment]", is_interior=is_interior, is_quick=true)}
{% set appended = outputs.append("i", j) %}
{% set has_lists = appended|paragraph %}
if (is_exact) {${"" if has_lists else "~"}
    left[group] |= 1u << (SEGMENTS * line + segment);
    ${outputs.restore("@_row", "@_col[segment]")}
${"} else {" if has_lists else "~}"}
//% if has_lists
    ${appended}
}
//% endif
//% endmacro

//% macro whole_pair(is_interior, j)
//% if not is_interior and not is_integer
if (product != product) {
    const unsigned int words = (features + WORD - 1) / WORD;
    const float2 sum = td_multiply_floats<${feature_type}>(¶${row_features[0].name}_all + (unsigned long long)i * words,¶${column_features[0].name}_all + (unsigned long long)j * words,¶features);
    product = sum.x;
//% if dot.has_error
    error = td_product_error(sum.y, features);
//% endif
}
//% endif
${slot.begin_pair()}
${evaluate("i", j, "@_all[i]", "@_all[" ~ j ~ "]", kept_row="@_row", kept_column="@_col[segment]", column_result="@_col[segment]")}
${outputs.append("i", j)}
//% endmacro

//% block others

//% if is_integer
${prepare_bytes()}
//% else
//% if is_split
// Before the kernel: a warp for each element finds a power of two that scales its greatest feature to 2^14 .. 2^15, and splits
// the scaled features into 16-bit floats, high and low. Let |x| be the norm of the features. The product of two rows is off by
// at most (111 + parts) 2^-24 |x| |y|, in units of 2^-24 |x| |y|:
//
//     9 + 4     the features are off by 2^-22 of themselves, and the products of low halves are left out
//     98        of each part, tensor cores add the products of high halves in two steps, each off by 24 units of 2^-23 of their
//               magnitudes; the smaller products before them add less than two units
//     parts     floats add up the parts
//
// Tensor cores align products by their exponent fields, so that a subnormal half counts as 2^-14. The scaled norms are at least
// 2^14. So with m features, the magnitudes of the products of high halves add up to at most (1 + m 2^-56) |x| |y| instead of
// |x| |y|. The bound of the smaller products grows by sqrt(m) 2^-28 |x| |y|, which still leaves them below two units.
//% else
// Before the kernel: a warp for each element computes the norm of its features, and puts them in the order of parts. If the
// greatest feature is below 2^14, they are scaled by the power of two that brings it to 2^14 .. 2^15. This is exact. Let |x| be
// the norm. The product of two rows is off by at most (192 + parts) 2^-24 |x| |y|, in units of 2^-24 |x| |y|:
//
//     192       tensor cores add the products of each part in four steps, each off by 24 units of 2^-23 of their magnitudes
//     parts     floats add up the parts
//
// Tensor cores align products by their exponent fields, so that a subnormal f16 counts as 2^-14, and a subnormal bf16 as 2^-126.
// The scaled norms are at least 2^14. So with m features, the magnitudes add up to at most (1 + m 2^-56) |x| |y| instead of
// |x| |y|.
//% endif
//
// A row that is not finite, or whose greatest feature is not 0 and not within 2^-50 .. 2^50, has no scale.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_prepare(¶const unsigned int elements,¶const uint4 *const __restrict__ source,¶const unsigned int features,¶uint4 *const halves,¶float2 *const factors)
{
#include <constants>

    __shared__ float scales[BLOCK_ELEMENTS];
    const unsigned int words = (features + WORD - 1) / WORD, parts = (features + PART_FEATURES - 1) / PART_FEATURES;
    const unsigned int lane = threadIdx.x, warp = threadIdx.y, top = BLOCK_ELEMENTS * blockIdx.x;
    if (const unsigned int element = top + warp; element < elements) {
        const ${feature_type} *const from = (const ${feature_type} *)(source + (unsigned long long)element * words);
        // The sum of squares is rounded up.
        float greatest = 0, square = 0;
        for (unsigned int k = lane; k < features; k += 32) {
            const float value = from[k];
            greatest = fmaxf(greatest, fabsf(value));
            square = __fmaf_ru(value, value, square);
        }
#pragma unroll
        for (unsigned int step = 16; step > 0; step /= 2) {
            greatest = fmaxf(greatest, __shfl_xor_sync(0xffffffff, greatest, step));
            square = __fadd_ru(square, __shfl_xor_sync(0xffffffff, square, step));
        }
        const bool is_zero = square == 0 && greatest == 0;
        const bool has_scale = is_zero || (square < 0x1p120f && greatest >= 0x1p-50f && greatest <= 0x1p50f);
        // The bits of the greatest feature's power of two${"" if is_split else ", at most 2^14"}. Those of 1 are 127 << 23, so 2^14 over this power is
        // ((127 + 14 + 127) << 23) less its bits.
        constexpr unsigned int limit = (127u + 14) << 23;
        const unsigned int exponent = is_zero ? limit : ${"__float_as_uint(greatest) & 0x7f800000u" if is_split else "min(__float_as_uint(greatest) & 0x7f800000u, limit)"};
        if (lane == 0) {
            // More than above, for the roundings here.
            const float bound = 0x1p-24f * (${113 if is_split else 193} + parts);
            const float not_a_number = __uint_as_float(0x7fffffffu);
            factors[element].x = has_scale ? __uint_as_float(exponent - (14u << 23)) : not_a_number;
            factors[element].y = has_scale ? sqrtf(bound * square) : not_a_number;
            scales[warp] = has_scale ? __uint_as_float(((127u + 14 + 127) << 23) - exponent) : 0;
        }
    }
    __syncthreads();
    // Neighbouring threads write the words of neighbouring elements.
    const unsigned int thread = 32 * warp + lane, index = thread % BLOCK_ELEMENTS, element = top + index;
    if (element >= elements)
        return;
    const float scale = scales[index];
    const uint4 *const from = source + (unsigned long long)element * words;
    uint4 *const to = halves + (unsigned long long)(element / TILE) * parts * PART_WORDS + element % TILE;
    for (unsigned int word = thread / BLOCK_ELEMENTS; word < PART_FEATURES / HALVES * parts; word += 128 / BLOCK_ELEMENTS) {
        uint4 *const part = to + word / (PART_FEATURES / HALVES) * PART_WORDS + word % (PART_FEATURES / HALVES) * TILE;
//% if is_split
        unsigned int high[HALVES / 2], low[HALVES / 2];
#pragma unroll
        for (unsigned int k = 0; k < HALVES; k += WORD) {
            const unsigned int next = (HALVES * word + k) / WORD;
            td_vector<float, WORD> value{};
            if (next < words && scale != 0)
                value = *(const td_vector<float, WORD> *)(from + next);
#pragma unroll
            for (unsigned int pair = 0; pair < WORD; pair += 2) {
                const float x = value.value[pair] * scale, y = value.value[pair + 1] * scale;
                const td_f16 high_x(x), high_y(y), low_x(x - high_x), low_y(y - high_y);
                high[(k + pair) / 2] = high_x.bits | (unsigned int)high_y.bits << 16;
                low[(k + pair) / 2] = low_x.bits | (unsigned int)low_y.bits << 16;
            }
        }
        part[0] = make_uint4(high[0], high[1], high[2], high[3]);
        part[PART_WORDS / 2] = make_uint4(low[0], low[1], low[2], low[3]);
//% else
        td_vector<${feature_type}, HALVES> value{};
        if (word < words && scale != 0)
            value = *(const td_vector<${feature_type}, HALVES> *)(from + word);
#pragma unroll
        for (unsigned int k = 0; k < HALVES; ++k)
            value.value[k] *= scale;
        part[0] = *(const uint4 *)&value;
//% endif
    }
}
//% endif
//% endblock
