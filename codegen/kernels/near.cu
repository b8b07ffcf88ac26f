//# The sweep `near`, for elements with a lower bound over boxes. Before the kernel, other functions sort the elements along a
//# curve through space, copy them in this order, and compute the boxes of tiles, groups and sections. Before these, a function
//# tests some pairs, from which a launch chooses between near tiles and all pairs.
//#
//# A warp has a row of tiles, an element for each lane. It compares the row's bounds with the boxes of 32 sections, groups or tiles
//# at a time. In a near tile, each lane computes the lower bound of its element with each column. The few pairs that pass are
//# listed in shared memory, and evaluated when there is one for each lane: with the user's own indices, the larger one first.
//#
//# Warps do not wait for each other.
//% extends "kernel.cu"
//% from "parts.cu" import outputs, single_pair
//% from "boxes.cu" import boxes
//% from "over.cu" import index

{% block work %}${"listed: " if is_list else ""}each warp a row of tiles and its near columns{% endblock %}

//% block earlier
${boxes()}
//% endblock

//% block stage

    // The lane's element, and the bounds of the row.
    const unsigned int lane = threadIdx.x, warp = threadIdx.y;
    const ${of_rows.point} point = td_point_of(${of_rows.boxed.name}_sorted[min(TILE * tile_i + lane, ${of_rows.count} - 1)]);
    const td_box<${of_rows.point}> bounds = ${of_rows.boxes}[tile_i];
    // The elements of a column, and the pairs that passed, each as a row in the tile and a column.
    __shared__ ${of_columns.point} points[WARPS][TILE];
    __shared__ uint2 list[WARPS][2 * TILE];
    unsigned int length = 0;
//% if is_list
    // The host has rounded the skin up to a float.
    const float limit = skin;
    const td_pair_list pairs{kept, used, room};
//% endif
//% endblock

//% block pairs

    // A bit for each of the boxes from `begin` to `end` that is near the row: at most one for each lane.
    const auto find = [&](const td_box<${of_columns.point}> *const all, const unsigned int begin, const unsigned int end) {
        const unsigned int k = begin + lane;
        return __ballot_sync(0xffffffff, k <= end && !(${bound.of_boxes("bounds", "all[min(k, end)]")} > ${limit}));
    };
    const auto evaluate = [&](const uint2 entry) {
        ${pair()}
    };
//% if domain.is_rectangle
    const unsigned int stop = (columns + TILE - 1) / TILE, last = (stop - 1) / TILE;
//% else
    const unsigned int last = tile_i / TILE;
//% endif
    const td_box<${of_columns.point}> *const groups = ${of_columns.boxes} + ${of_columns.tiles}, *const sections = groups + (${of_columns.tiles} + TILE - 1) / TILE;
    for (unsigned int first = 0; first <= last / TILE; first += TILE) {
        for (unsigned int section_bits = find(sections, first, last / TILE); section_bits != 0; section_bits &= section_bits - 1) {
            const unsigned int section = first + __ffs(section_bits) - 1;
            for (unsigned int group_bits = find(groups, TILE * section, last); group_bits != 0; group_bits &= group_bits - 1) {
                const unsigned int group = TILE * section + __ffs(group_bits) - 1;
                if (group % parts != blockIdx.y)
                    continue;
                for (unsigned int tile_bits = find(${of_columns.boxes}, TILE * group, ${"stop - 1" if domain.is_rectangle else "tile_i"}); tile_bits != 0; tile_bits &= tile_bits - 1) {
                    const unsigned int tile_j = TILE * group + __ffs(tile_bits) - 1;
                    ${near_tile()}
                }
            }
        }
    }
    __syncwarp();
    if (lane < length)
        evaluate(list[warp][lane]);
//% endblock

//# The pairs of a near tile.
//% macro near_tile()
__syncwarp();
points[warp][lane] = td_point_of(${of_columns.boxed.name}_sorted[min(TILE * tile_j + lane, ${of_columns.count} - 1)]);
__syncwarp();
// A bit for each column whose pair passes.
unsigned int passed = 0;
#pragma unroll 8
for (unsigned int c = 0; c < TILE; ++c) {
    if (!(${bound.of_points("point", "points[warp][c]")} > ${limit}))
        passed |= 1u << c;
}
//% if domain.is_rectangle
// Past the end, a row or a column repeats the last one.
if (columns - TILE * tile_j < TILE)
    passed &= (1u << (columns - TILE * tile_j)) - 1;
//% else
// On the diagonal, only pairs inside the triangle. Past the end, a row repeats the last one.
if (tile_j == tile_i)
    passed &= (${2 if diagonal else 1}u << lane) - 1;
//% endif
if (TILE * tile_i + lane >= ${of_rows.count})
    passed = 0;
for (unsigned int active; (active = __ballot_sync(0xffffffff, passed != 0)) != 0;) {
    if (passed != 0) {
        list[warp][length + __popc(active & ((1u << lane) - 1))] = make_uint2(lane, TILE * tile_j + __ffs(passed) - 1);
        passed &= passed - 1;
    }
    length += __popc(active);
    __syncwarp();
    if (length >= TILE) {
        length -= TILE;
        evaluate(list[warp][length + lane]);
        __syncwarp();
    }
}
//% endmacro

//# A listed pair. Sorted elements are not in the user's order, so in one set the element with the larger index becomes the row.
//% macro pair()
//% if is_list and domain.is_rectangle
pairs.push(row_order[TILE * tile_i + entry.x], column_order[entry.y]);
//% elif is_list
const unsigned int row = order[TILE * tile_i + entry.x], col = order[entry.y];
pairs.push(max(row, col), min(row, col));
//% else
${evaluated_pair()}
//% endif
//% endmacro

//% macro evaluated_pair()
//% if domain.is_rectangle
const unsigned int sorted_i = TILE * tile_i + entry.x, sorted_j = entry.y;
${index("i", "row_order[sorted_i]", uses.i or keeps_pairs or row_results)}
${index("j", "column_order[sorted_j]", uses.j or keeps_pairs or column_results)}
//% else
unsigned int sorted_i = TILE * tile_i + entry.x, sorted_j = entry.y;
const unsigned int row = order[sorted_i], col = order[sorted_j];
if (row < col) {
    sorted_i = entry.y;
    sorted_j = TILE * tile_i + entry.x;
}
const unsigned int i = max(row, col), j = min(row, col);
//% endif
${single_pair("@_sorted[sorted_i]", "@_sorted[sorted_j]")}
//% endmacro

//% block others
//% if is_list
//% for set in sets

// Before a launch over the list: the number of elements${set.of} in each block that may be too far from where they were.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_${set.prefix}moved(¶${near_parameters},¶${set.last},¶unsigned int *const counts)
{
#include <constants>

    const unsigned int k = THREADS * blockIdx.x + 32 * threadIdx.y + threadIdx.x;
    const bool has_moved = k < ${set.count} && td_has_moved(${set.boxed.name}_all[${set.order}[k]], ${set.boxed.name}_sorted[k], skin);
    const unsigned int count = __syncthreads_count(has_moved);
    if (threadIdx.x == 0 && threadIdx.y == 0)
        counts[blockIdx.x] = count;
}
//% endfor
//% elif not nearest

// Before all other functions: tests the pairs of some elements. If many pass, a launch visits all pairs instead. Each block has
// some rows and columns of these pairs, and a count of those that pass.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_sample(¶${near_parameters},¶unsigned int *const counts)
{
#include <constants>

    __shared__ ${of_columns.point} points[THREADS];
    __shared__ unsigned int passed;
    const unsigned int thread = 32 * threadIdx.y + threadIdx.x, row = THREADS * blockIdx.x + thread, begin = THREADS * blockIdx.y;
    const unsigned int sampled_rows = min(${of_rows.count}, SAMPLES)${", sampled_columns = min(columns, SAMPLES)" if domain.is_rectangle else ""};
    const ${of_rows.point} point = td_point_of(${of_rows.boxed.name}_all[td_sampled(min(row, sampled_rows - 1), ${of_rows.count}, SAMPLES)]);
    points[thread] = td_point_of(${of_columns.boxed.name}_all[td_sampled(min(begin + thread, ${"sampled_columns" if domain.is_rectangle else "sampled_rows"} - 1), ${of_columns.count}, SAMPLES)]);
    if (thread == 0)
        passed = 0;
    __syncthreads();
    const unsigned int end = row < sampled_rows ? ${"sampled_columns" if domain.is_rectangle else "row"} : 0;
    unsigned int count = 0;
#pragma unroll 8
    for (unsigned int c = 0; c < THREADS; ++c)
        count += begin + c < end && !(${bound.of_points("point", "points[c]")} > 0);
    atomicAdd(&passed, count);
    __syncthreads();
    if (thread == 0)
        counts[gridDim.x * blockIdx.y + blockIdx.x] = passed;
}
//% endif
//% for set in sets

// Before the kernel: the grid whose cells order the elements${set.of}, from the coordinates of some of them. A few elements that are
// far from all others hardly ever stretch it. A launch passes this function the kernel's parameters, so some are unused.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_${set.prefix}frame(¶${near_parameters},¶double *const frame)
{
#include <constants>

    __shared__ double least[WARPS][ORDER], greatest[WARPS][ORDER];
    const unsigned int lane = threadIdx.x, warp = threadIdx.y;
    double lo[ORDER], hi[ORDER];
#pragma unroll
    for (unsigned int d = 0; d < ORDER; ++d) {
        lo[d] = 0x1.fffffffffffffp1023;
        hi[d] = -0x1.fffffffffffffp1023;
    }
    for (unsigned int k = 32 * warp + lane; k < min(${set.count}, SAMPLES); k += THREADS) {
        double coordinates[ORDER];
        td_coordinates_of(${set.boxed.name}_all[td_sampled(k, ${set.count}, SAMPLES)], coordinates);
#pragma unroll
        for (unsigned int d = 0; d < ORDER; ++d) {
            if (fabs(coordinates[d]) <= 0x1.fffffffffffffp1023) {
                lo[d] = min(lo[d], coordinates[d]);
                hi[d] = max(hi[d], coordinates[d]);
            }
        }
    }
#pragma unroll
    for (unsigned int d = 0; d < ORDER; ++d) {
        td_range_of_lanes{}(lo[d], hi[d]);
        least[warp][d] = lo[d];
        greatest[warp][d] = hi[d];
    }
    __syncthreads();
    if (const unsigned int d = 32 * warp + lane; d < ORDER) {
        double begin = least[0][d], end = greatest[0][d];
        for (unsigned int k = 1; k < WARPS; ++k) {
            begin = min(begin, least[k][d]);
            end = max(end, greatest[k][d]);
        }
        frame[2 * d] = begin;
        frame[2 * d + 1] = end > begin ? (1u << 30 / ORDER) / (end - begin) : 0;
    }
}

// The cell of each element${set.of}.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_${set.prefix}cells(¶${near_parameters},¶const double *const frame,¶unsigned int *const keys,¶unsigned int *const order)
{
#include <constants>

    const unsigned int element = THREADS * blockIdx.x + 32 * threadIdx.y + threadIdx.x;
    if (element >= ${set.count})
        return;
    double coordinates[ORDER];
    td_coordinates_of(${set.boxed.name}_all[element], coordinates);
    keys[element] = td_morton(coordinates, frame);
    order[element] = element;
}
//% endfor

// The elements are sorted by eight bits of their keys at a time, from the lowest on. Each block has some keys, of which it
// counts those with each value of these bits.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_count(¶const unsigned int n,¶const unsigned int shift,¶const unsigned int *const keys,¶unsigned int *const counts)
{
#include <constants>

    __shared__ unsigned int digits[DIGITS];
    const unsigned int thread = 32 * threadIdx.y + threadIdx.x, begin = BLOCK_KEYS * blockIdx.x;
    for (unsigned int digit = thread; digit < DIGITS; digit += THREADS)
        digits[digit] = 0;
    __syncthreads();
    for (unsigned int k = thread; k < min(n - begin, BLOCK_KEYS); k += THREADS)
        atomicAdd(digits + (keys[begin + k] >> shift) % DIGITS, 1u);
    __syncthreads();
    for (unsigned int digit = thread; digit < DIGITS; digit += THREADS)
        counts[gridDim.x * digit + blockIdx.x] = digits[digit];
}

// A block for each value: the counts before each block's, and after those of all values, the totals.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_scan(¶const unsigned int blocks,¶unsigned int *const counts)
{
#include <constants>

    __shared__ unsigned int ends[WARPS];
    const unsigned int lane = threadIdx.x, warp = threadIdx.y;
    unsigned int *const own = counts + blocks * blockIdx.x;
    unsigned int before = 0;
    for (unsigned int first = 0; first < blocks; first += THREADS) {
        const unsigned int block = first + 32 * warp + lane, count = block < blocks ? own[block] : 0;
        unsigned int end = td_prefix_sum(count);
        if (lane == 31)
            ends[warp] = end;
        __syncthreads();
        unsigned int total = 0;
        for (unsigned int k = 0; k < WARPS; ++k) {
            if (k < warp)
                end += ends[k];
            total += ends[k];
        }
        if (block < blocks)
            own[block] = before + end - count;
        before += total;
        __syncthreads();
    }
    if (lane == 0 && warp == 0)
        counts[blocks * DIGITS + blockIdx.x] = before;
}

// Moves each key to its place. Keys with the same bits stay in order.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_scatter(¶const unsigned int n,¶const unsigned int shift,¶const unsigned int *const counts,¶const unsigned int *const keys,¶const unsigned int *const order,¶unsigned int *const keys_to,¶unsigned int *const order_to)
{
#include <constants>

    __shared__ unsigned int starts[WARPS][DIGITS], bases[DIGITS];
    const unsigned int lane = threadIdx.x, warp = threadIdx.y, thread = 32 * warp + lane;
    const unsigned int begin = BLOCK_KEYS * blockIdx.x + BLOCK_KEYS / WARPS * warp;
    for (unsigned int digit = lane; digit < DIGITS; digit += 32)
        starts[warp][digit] = 0;
    // The keys with smaller values.
    if (warp == 0) {
        unsigned int base = 0;
        for (unsigned int first = 0; first < DIGITS; first += 32) {
            const unsigned int count = counts[gridDim.x * DIGITS + first + lane], end = td_prefix_sum(count);
            bases[first + lane] = base + end - count;
            base += __shfl_sync(0xffffffff, end, 31);
        }
    }
    __syncwarp();
    for (unsigned int k = lane; k < BLOCK_KEYS / WARPS; k += 32) {
        if (begin + k < n)
            atomicAdd(&starts[warp][(keys[begin + k] >> shift) % DIGITS], 1u);
    }
    __syncthreads();
    for (unsigned int digit = thread; digit < DIGITS; digit += THREADS) {
        unsigned int start = bases[digit] + counts[gridDim.x * digit + blockIdx.x];
        for (unsigned int k = 0; k < WARPS; ++k) {
            const unsigned int count = starts[k][digit];
            starts[k][digit] = start;
            start += count;
        }
    }
    __syncthreads();
    for (unsigned int k = lane; k < BLOCK_KEYS / WARPS; k += 32) {
        const bool valid = begin + k < n;
        const unsigned int key = valid ? keys[begin + k] : 0, digit = (key >> shift) % DIGITS;
        // The lanes with the same digit.
        unsigned int same = __ballot_sync(0xffffffff, valid);
#pragma unroll
        for (unsigned int bit = 1; bit < DIGITS; bit *= 2) {
            const unsigned int with = __ballot_sync(0xffffffff, (digit & bit) != 0);
            same &= digit & bit ? with : ~with;
        }
        const unsigned int rank = __popc(same & ((1u << lane) - 1)), slot = starts[warp][digit] + rank;
        __syncwarp();
        if (valid) {
            keys_to[slot] = key;
            order_to[slot] = order[begin + k];
            if (rank == 0)
                starts[warp][digit] = slot + __popc(same);
        }
        __syncwarp();
    }
}
//% for set in sets

// Copies the elements in their order, and computes the bounds of each tile.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_${set.prefix}boxes(¶${near_parameters},¶${set.last})
{
#include <constants>

    const unsigned int tile = WARPS * blockIdx.x + threadIdx.y, slot = TILE * tile + threadIdx.x;
    if (TILE * tile >= ${set.count})
        return;
    // Past the end, the last element is repeated.
    const unsigned int element = ${set.order}[min(slot, ${set.count} - 1)];
    ${set.sorted|lines("const @.type @_value = @_all[element];\nif (slot < " ~ set.count ~ ")\n@_sorted[slot] = @_value;")}
    td_box<${set.point}> bounds = td_box_of(${set.boxed.name}_value);
    td_for_each_coordinate(td_range_of_lanes{}, bounds.lo, bounds.hi);
    if (threadIdx.x == 0)
        ${set.boxes}[tile] = bounds;
}

// The boxes of each 32 boxes.
extern "C" __global__ void __launch_bounds__(128, 1)
${name}_${set.prefix}join(¶const unsigned int first,¶const unsigned int count,¶td_box<${set.point}> *const boxes)
{
#include <constants>

    const unsigned int group = WARPS * blockIdx.x + threadIdx.y;
    if (TILE * group >= count)
        return;
    td_box<${set.point}> bounds = boxes[first + min(TILE * group + threadIdx.x, count - 1)];
    td_for_each_coordinate(td_range_of_lanes{}, bounds.lo, bounds.hi);
    if (threadIdx.x == 0)
        boxes[first + count + group] = bounds;
}
//% endfor
//% endblock
