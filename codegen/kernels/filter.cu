//# The sweep that filters, for nearest neighbours of elements with features where the user gives a lower bound of what a pair
//# pushes. Tensor cores multiply the features of a tile's rows and columns, in bfloat16; the lower bound follows from the
//# product and from how far it may be off. Few pairs may be within the bounds of their elements: these are queued by their
//# indices. Between the rounds a function of its own evaluates them, and then they are merged as ever.
//#
//# The features lie in memory as a tile's shared memory has them: a tile's part, some features of its elements, is one piece,
//# in which an element's words of 16 bytes are so exchanged that eight elements side by side have a word in all banks. Zeros
//# follow the last feature and the last element.
//#
//# A warp has 64 rows with 32 columns of a tile, a thread eight of each: those places of the products that the tensor cores leave
//# to it. It asks for the bounds of all of its pairs, and looks at single ones only in rows of which some pass.
//% extends "kernel.cu"

{% block work %}a warp the products of 64 x 32 pairs of a tile, by tensor cores{% endblock %}

//% block lower

// Not greater than what the pair pushes.
static __device__ __forceinline__ auto ${name}_lower(¶${lower_parameters})
{
    return (
#include <lower>
    );
}
//% endblock

//# What is queued has no value yet.
//% block sums
//% endblock

//% block stage
{% set down = row_features[0] %}
{% set across = column_features[0] %}
{% set near = nearest[0] %}
{% set of = ["row_", "column_"] if domain.is_rectangle else ["", ""] %}

    // Two parts of ${part} features of the tile's rows and columns: one is multiplied while the next is on its way.
    __shared__ uint4 chunks[2][2][${part_memory}];
    const unsigned int lane = threadIdx.x, warp = threadIdx.y, thread = 32 * warp + lane;
    const unsigned int parts = features / ${part} + (features % ${part} > 0);
    const uint4 *${down.name}_row_next = ${of[0]}halves + (unsigned long long)row * parts * ${part_memory} + thread;
    const uint4 *${across.name}_col_next = ${of[1]}halves + (unsigned long long)col * parts * ${part_memory} + thread;
    const auto fetch = [&](const unsigned int buffer) {
#pragma unroll
        for (unsigned int k = 0; k < ${part_memory}; k += ${threads}) {
            td_copy(&chunks[buffer][0][k + thread], ${down.name}_row_next + k);
            td_copy(&chunks[buffer][1][k + thread], ${across.name}_col_next + k);
        }
        ${down.name}_row_next += ${part_memory};
        ${across.name}_col_next += ${part_memory};
    };
    fetch(0);

//% if domain.is_rectangle
    // Of the tile's rows and of its columns: how far a product may be off, and what else a pair is tested with; and of rows how near
    // another one has to be. Of the kernel's own memory there is something to read for a whole tile. Of the user's, past the last
    // element the last one is read again.
    alignas(16) __shared__ float share[2][${side}];
    alignas(16) __shared__ ${near.type} ${near.name}_tile[${side}];
//% for each in lower_rows + lower_columns
    __shared__ ${each.type} ${each.name}_tile[${side}];
//% endfor
    if (const unsigned int place = thread % ${side}; thread < ${side}) {
        const unsigned int element = ${side} * row + place;
        share[0][place] = row_shares[element];
        ${near.name}_tile[place] = ${near.name}_all[element];
//% for each in lower_rows
        ${each.name}_tile[place] = ${each.name}_all[min(element, ${domain.rows} - 1)];
//% endfor
    } else {
        const unsigned int element = ${side} * col + place;
        share[1][place] = column_shares[element];
//% for each in lower_columns
        ${each.name}_tile[place] = ${each.name}_all[min(element, ${domain.columns} - 1)];
//% endfor
    }
//% else
    // Of the tile's rows and of its columns: how far a product may be off, how near another one has to be, and what else a pair is
    // tested with. Of the kernel's own memory there is something to read for a whole tile. Of the user's, past the last element the
    // last one is read again.
    alignas(16) __shared__ float share[2][${side}];
    alignas(16) __shared__ ${near.type} ${near.name}_tile[2][${side}];
//% for each in lower_elements
    __shared__ ${each.type} ${each.name}_tile[2][${side}];
//% endfor
    const unsigned int side = thread / ${side}, place = thread % ${side}, element = ${side} * (side == 0 ? row : col) + place;
    share[side][place] = shares[element];
    ${near.name}_tile[side][place] = ${near.name}_all[element];
//% for each in lower_elements
    ${each.name}_tile[side][place] = ${each.name}_all[min(element, n - 1)];
//% endfor
//% endif
    __syncthreads();

    // Where the thread reads rows and columns, of the first and the second 16 features of a part. Their words are exchanged.
    const unsigned int down = ${part_words} * (64 * (warp / 4) + lane % 16), across = ${part_words} * (32 * (warp % 4) + lane / 16 * 8 + lane % 8);
//% endblock

//% block pairs
{% set near = nearest[0] %}

    // In the tile, the thread's rows are top + 16 (r / 2) + 8 (r % 2), and its columns first + 8 (c / 2) + c % 2.
    const unsigned int top = 64 * (warp / 4) + lane / 4, first = 32 * (warp % 4) + lane % 4 * 2;

    // Of 16 rows with 8 columns each. A sum of products begins with how far it may be off.
    float products[4][4][4];
#pragma unroll
    for (unsigned int r = 0; r < 8; ++r) {
#pragma unroll
        for (unsigned int c = 0; c < 8; ++c)
            products[r / 2][c / 2][r % 2 * 2 + c % 2] = share[0][${row_place}] + share[1][${column_place}];
    }
#pragma unroll 1
    for (unsigned int at = 0; at < parts; ++at) {
        td_copied();
        // This part is there, and the one before it is not needed any more.
        __syncthreads();
        if (at + 1 < parts)
            fetch((at + 1) % 2);
        const uint4 *const of_rows = chunks[at % 2][0] + down, *const of_columns = chunks[at % 2][1] + across;
#pragma unroll
        for (unsigned int k = 0; k < ${part_words}; k += 2) {
            unsigned int left[4][4], upper[2][4];
#pragma unroll
            for (unsigned int r = 0; r < 4; ++r)
                td_load_matrices(left[r], of_rows + ${16 * part_words} * r + ((k + lane / 16) ^ lane / 2 % 4));
#pragma unroll
            for (unsigned int c = 0; c < 2; ++c)
                td_load_matrices(upper[c], of_columns + ${16 * part_words} * c + ((k + lane / 8 % 2) ^ lane / 2 % 4));
#pragma unroll
            for (unsigned int r = 0; r < 4; ++r) {
#pragma unroll
                for (unsigned int c = 0; c < 4; ++c)
                    td_multiply(products[r][c], left[r], upper[c / 2][c % 2 * 2], upper[c / 2][c % 2 * 2 + 1]);
            }
        }
    }

{% set of_rows = "" if domain.is_rectangle else "[0]" %}
{% set of_columns = "" if domain.is_rectangle else "[1]" %}
//% if near.has_column
    ${near.type} bound[8];
//% endif
//% for each in lower_elements + lower_columns
    ${each.type} ${each.name}_col[8];
//% endfor
#pragma unroll
    for (unsigned int c = 0; c < 8; ++c) {~
//% if near.has_column
        bound[c] = ${near.name}_tile[1][${column_place}];
//% endif
//% for each in lower_elements + lower_columns
        ${each.name}_col[c] = ${each.name}_tile${of_columns}[${column_place}];
//% endfor
    ~}
    // Bit 8 r + c: whether the pair may be near its row's element${", and its column's" if near.has_column else ""}.
    unsigned long long down_near = 0${", across_near = 0" if near.has_column else ""};
#pragma unroll
    for (unsigned int r = 0; r < 8; ++r) {
        const ${near.type} limit = ${near.name}_tile${of_rows}[${row_place}];
//% for each in lower_elements + lower_rows
        const ${each.type} ${each.name}_row = ${each.name}_tile${of_rows}[${row_place}];
//% endfor
        bool found = false;
#pragma unroll
        for (unsigned int c = 0; c < 8; ++c) {
            ${indices_of_pair()}
            found |= !(${name}_lower(¶${lower_arguments}) > ${"max(limit, bound[c])" if near.has_column else "limit"});
        }
        if (found) {
#pragma unroll
            for (unsigned int c = 0; c < 8; ++c) {
                ${indices_of_pair()}
//% if near.has_column
                const auto least = ${name}_lower(¶${lower_arguments});
                down_near |= (unsigned long long)!(least > limit) << (8 * r + c);
                across_near |= (unsigned long long)!(least > bound[c]) << (8 * r + c);
//% else
                down_near |= (unsigned long long)!(${name}_lower(¶${lower_arguments}) > limit) << (8 * r + c);
//% endif
            }
        }
    }

    // The pairs that are left, inside the ${domain.area}${"" if domain.is_rectangle else ": " ~ domain.filter}.
    const td_candidates ${near.name}_queues{¶${near.name}_queue,¶${near.name}_count,¶${near.name}_capacity,¶${near.name}_missed};
#pragma unroll 1
    for (unsigned long long left = down_near${" | across_near" if near.has_column else ""}; left != 0; left &= left - 1) {
        const unsigned int place = __ffsll(left) - 1;
        const unsigned int i = ${side} * row + top + place / 16 * 16 + place / 8 % 2 * 8;
        const unsigned int j = ${side} * col + first + place % 8 / 2 * 8 + place % 2;
//% if near.has_column
        if (${domain.has("i", "j", diagonal)}) {
            if (down_near >> place & 1)
                ${near.name}_queues.put(i, j);
            if (${"i != j && " if diagonal else ""}across_near >> place & 1)
                ${near.name}_queues.put(j, i);
        }
//% else
        if (${domain.has("i", "j", diagonal)})
            ${near.name}_queues.put(i, j);
//% endif
    }
//% endblock

//# Past the last element the last one again: a slice of the user's may have no more.
//% macro indices_of_pair()
//% if lower_uses.i
const unsigned int i = min(${side} * row + ${row_place}, ${domain.rows} - 1);
//% endif
//% if lower_uses.j
const unsigned int j = min(${side} * col + ${column_place}, ${domain.columns if domain.is_rectangle else domain.rows} - 1);
//% endif
//% endmacro

//% block others
{% set down = row_features[0] %}
{% set across = column_features[0] %}
{% set near = nearest[0] %}

// Before the first round: the features as tensor cores take them, by a warp for each element, and the element's share in the
// error of a product. Where x' is x with its features rounded, e(x) = |x' - x| and X the larger one of |x|^2 and |x'|^2,
//
//     |x'y' - xy| <= |x'| e(y) + e(x) |y| <= t X / 2 + e(x)^2 / (2 t) + t Y / 2 + e(y)^2 / (2 t)
//
// for every t, of which this one is about what e(x) / |x| mostly is. To the sum of x'y' tensor cores add less than
// (features + 16) 2^-22 (X + Y), since they cut off what is below the last bit of the largest of some terms. And with norms, sums
// of squares and lower bounds all rounded, a square of a distance may be less by (3 features + 11) 2^-25 (X + Y), or a folded
// product be more by less than that. Where one of these cannot be said, the error may be anything.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_prepare(¶const unsigned int elements,¶const uint4 *const __restrict__ all,¶const unsigned int features,¶uint4 *const halves,¶float *const shares)
{
    const unsigned int element = 4 * blockIdx.x + threadIdx.y;
    if (element >= elements)
        return;
    const unsigned int words = features / ${word} + (features % ${word} > 0), parts = features / ${part} + (features % ${part} > 0);
    const float *const from = (const float *)(all + (unsigned long long)element * words);
    // Rounded up.
    float square = 0, rounded = 0, off = 0;
    for (unsigned int k = threadIdx.x; k < features; k += 32) {
        const float value = from[k], other = __uint_as_float(td_brief(0.0f, value));
        square = __fmaf_ru(value, value, square);
        rounded = __fmaf_ru(other, other, rounded);
        off = __fmaf_ru(other - value, other - value, off);
    }
#pragma unroll
    for (unsigned int step = 16; step > 0; step /= 2) {
        square = __fadd_ru(square, __shfl_xor_sync(0xffffffff, square, step));
        rounded = __fadd_ru(rounded, __shfl_xor_sync(0xffffffff, rounded, step));
        off = __fadd_ru(off, __shfl_xor_sync(0xffffffff, off, step));
    }
    const bool known = features <= 1u << 18 && (square == 0 || (square >= 0x1p-80f && square <= 0x1p100f));
    if (threadIdx.x == 0) {
        const float t = 0x1.8p-10f, of_sums = __fmul_ru(0x6p-24f, (float)features + 16);
        const float share = __fmaf_ru(max(square, rounded), __fadd_ru(t / 2, of_sums), __fdiv_ru(off, 2 * t));
        shares[element] = known ? share : __uint_as_float(0x7f800000);
    }
    uint4 *const to = halves + (unsigned long long)(element / ${side}) * parts * ${part_memory} + element % ${side} * ${part_words};
    for (unsigned int word = threadIdx.x; word < ${part_words} * parts; word += 32) {
        float value[8];
#pragma unroll
        for (unsigned int k = 0; k < 8; ++k)
            value[k] = known && 8 * word + k < features ? from[8 * word + k] : 0;
        to[word / ${part_words} * ${part_memory} + (word % ${part_words} ^ element / 2 % 4)] = make_uint4(¶td_brief(value[0], value[1]),¶td_brief(value[2], value[3]),¶td_brief(value[4], value[5]),¶td_brief(value[6], value[7]));
    }
}

// After a round: evaluates what is queued, by a warp for each element, and keeps what is nearer than the last of its nearest
// ${near.count}, as a merge takes it.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_refine(¶${refine_parameters})
{
    const unsigned int element = 4 * blockIdx.x + threadIdx.y;
    if (element >= ${domain.rows})
        return;
    unsigned long long *const queue = ${near.name}_queue + (unsigned long long)element * ${near.name}_capacity;
    const unsigned long long last = ${near.name}_cells[(unsigned long long)element * ${near.count} + ${near.count - 1}];
    const unsigned int count = min(${near.name}_count[element], ${near.name}_capacity);
    const unsigned int words = features / ${word} + (features % ${word} > 0), lane = threadIdx.x;
    // Two pieces of the features of up to 32 others, and last of the warp's own element: one is folded while the lanes bring the
    // next, side by side. A word more lies between two of them, so that eight lanes read from all banks.
    __shared__ uint4 chunks[4][2][33][${refine_words + 1}];
    auto &own = chunks[threadIdx.y];
    unsigned int stop = 0;
    for (unsigned int begin = 0; begin < count; begin += 32) {
        const unsigned int rest = min(count - begin, 32);
        const bool found = lane < rest;
        const unsigned int other = found ? queue[begin + lane] : element;
//% if refine_uses.i
        const unsigned int i = ${"element" if domain.is_rectangle else "max(element, other)"};
//% endif
//% if refine_uses.j
        const unsigned int j = ${"other" if domain.is_rectangle else "min(element, other)"};
//% endif
//% for fold in folds
        ${fold.type} ${fold.name}_fold${" = " ~ fold.start if fold.start else "{}"};
//% endfor
        // Past the last word there is something that can be read, and is not folded.
        const auto fetch = [&](const unsigned int first) {
            for (unsigned int r = 0; r <= rest; r += ${32 // refine_words}) {
                const unsigned int place = r + lane / ${refine_words}, next = __shfl_sync(0xffffffff, other, place % 32);
//% if domain.is_rectangle
                const uint4 *const from = place < rest ? ${across.name}_all + (unsigned long long)next * words : ${down.name}_all + (unsigned long long)element * words;
                if (place <= rest)
                    td_copy(¶&own[first / ${refine_words} % 2][place < rest ? place : 32][lane % ${refine_words}],¶from + first + lane % ${refine_words});
//% else
                const unsigned int from = place < rest ? next : element;
                if (place <= rest)
                    td_copy(¶&own[first / ${refine_words} % 2][place < rest ? place : 32][lane % ${refine_words}],¶${down.name}_all + (unsigned long long)from * words + first + lane % ${refine_words});
//% endif
            }
        };
        fetch(0);
        for (unsigned int first = 0; first < words; first += ${refine_words}) {
            td_copied();
            __syncwarp();
            if (first + ${refine_words} < words)
                fetch(first + ${refine_words});
            const auto &piece = own[first / ${refine_words} % 2];
//% if domain.is_rectangle
            const uint4 *const one = piece[32], *const two = piece[lane];
//% else
            // The larger index is i.
            const uint4 *const one = piece[element > other ? 32 : lane], *const two = piece[element > other ? lane : 32];
//% endif
            if (found) {
#pragma unroll
                for (unsigned int next = 0; next < ${refine_words}; ++next) {
                    const unsigned int word = first + next;
                    const auto down = *(const td_few<float, ${word}> *)(one + next), across = *(const td_few<float, ${word}> *)(two + next);
                    if (word < features / ${word}) {
#pragma unroll
                        for (unsigned int at = 0; at < ${word}; ++at) {~
                            ${refined_feature()}
                        ~}
                    } else if (word < words) {
                        // The features after the last ${word}.
#pragma unroll
                        for (unsigned int at = 0; at < ${word - 1}; ++at) {
                            if (at < features % ${word}) {~
                                ${refined_feature()}
                            ~}
                        }
                    }
                }
            }
            __syncwarp();
        }
        unsigned long long cell = 0;
        if (found) {
            ${near.pushed} ${near.name}_pushed;
            ${name}_pair(¶${pair_call()});
            if (${near.name}_pushed.is_number())
                cell = (unsigned long long)~${near.order}::rank(${near.name}_pushed.value) << 32 | ~other;
        }
        const unsigned int nearer = __ballot_sync(0xffffffff, cell > last);
        if (cell > last)
            queue[stop + __popc(nearer & ((1u << lane) - 1))] = cell;
        stop += __popc(nearer);
        __syncwarp();
    }
    if (lane == 0)
        ${near.name}_count[element] = stop;
}
//% endblock

//% macro refined_feature()
//% if refine_uses_k
const unsigned int k = ${word} * word + at;
//% endif
${name}_feature(¶${refine_arguments});
//% endmacro

//# The arguments of the pair function, of elements in memory.
{% macro pair_call() -%}
{%- for argument in pair_arguments -%}
${"" if loop.first else ",¶"}
{%- if argument.is_element -%}
{${argument.name}_all[i], ${argument.name}_all[j]}
{%- elif argument.is_of_row -%}
${argument.name}_all[i]
{%- elif argument.is_of_column -%}
${argument.name}_all[j]
{%- else -%}
${argument.text}
{%- endif -%}
{%- endfor -%}
{%- endmacro %}
