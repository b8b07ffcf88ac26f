//# The sweep `near` for nearest neighbours. The lower bound is at most the values that pairs push.
//#
//# A warp has a row of tiles, an element for each lane, and visits the near columns on both sides. It finds the neighbours of its
//# own elements only. So warps share nothing and need neither queues nor rounds, but a pair is evaluated twice, once for each of
//# its elements. A lane keeps its neighbours in registers if they are few. Otherwise it lists candidates in shared memory,
//# and the warp merges them into the cells of each element.
//#
//# The K-th values fall while neighbours are found. So a row first visits its own tile, then the tiles next to it in the order along
//# the curve, then those that are 16 times as far, and so on. Each tile is compared with the bound again before its visit. Among the
//# tiles of another set, a row first visits all that have the least bound.
//% extends "near.cu"
//% from "parts.cu" import evaluate, neighbours

{% block work %}each warp a row of tiles and its near columns on both sides{% endblock %}

//# The neighbours are declared below, and nothing is queued or merged by another function.
//% block sums
//% endblock
//% block merge
//% endblock

//% block stage
{% set near = nearest[0] %}

    // The lane's element, and the bounds of the row. Lanes past the end do the same as that of the last element.
    const unsigned int lane = threadIdx.x, warp = threadIdx.y, sorted_own = min(TILE * tile_i + lane, ${of_rows.count} - 1);
    const unsigned int own = ${of_rows.order}[sorted_own];
    const ${of_rows.point} point = td_point_of(${of_rows.boxed.name}_sorted[sorted_own]);
    const td_box<${of_rows.point}> bounds = ${of_rows.boxes}[tile_i];
    // The elements of a column.
    __shared__ ${of_columns.point} points[WARPS][TILE];
    // The lane's nearest so far. A pair passes if its bound is at most the K-th value so far, `limit`. A tile is visited if its bound
    // is at most the greatest limit of the row, `farthest`.
{% set shared = "__shared__ unsigned long long merged[WARPS][" ~ near.places ~ "];\n" ~ queued("td_merge<NEAREST>(cells, queued, count, merged[warp])") %}
    ${neighbours.by_number(own(), queued("td_merge_lanes<NEAREST>(cells, queued, count)"), shared)}
    ${near.limit} limit, farthest;
    const auto update = [&] {
        limit = ${near.bound_of_cell}(neighbours.last());
        farthest = ${near.bound_of_cell}(td_farthest_of_lanes(neighbours.last()));
    };
    update();
//% endblock

//% block pairs
{% set near = nearest[0] %}

//% if domain.is_rectangle
    const unsigned int stop = (columns + TILE - 1) / TILE;
    const auto bound_of = [&](const td_box<${of_columns.point}> &other) { return ${bound.of_boxes("bounds", "other")}; };
    // A row first searches for a tile with the least bound, from the tile that is as far along the curve. Then it visits all tiles with
    // this bound: those that the row overlaps, if any, which no bound skips, and which have columns on all sides of its elements.
    enum { SEARCH, LEAST, OTHERS } step = SEARCH;
    unsigned int middle = (unsigned long long)tile_i * stop / ((rows + TILE - 1) / TILE);
    auto least = bound_of(${of_columns.boxes}[middle]);
    // Whether a box is due in this step: in the last one, if it may have elements that are among the nearest of the row's.
    const auto is_near = [&](const td_box<${of_columns.point}> &other) {
        const auto bound = bound_of(other);
        return step == SEARCH ? bound < least : step == LEAST ? bound <= least : !(${near.rounded}bound > farthest);
    };
//% else
    // Whether a box may have elements that are among the nearest of the row's.
    const auto is_near = [&](const td_box<${of_columns.point}> &other) {
        return !(${near.rounded}${bound.of_boxes("bounds", "other")} > farthest);
    };
//% endif
    // A bit for each of 32 boxes that is near the row, among those from `first` to `last`.
    const auto find = [&](const td_box<${of_columns.point}> *const all, const unsigned int begin, const unsigned int first, const unsigned int last) {
        const unsigned int k = begin + lane;
        return __ballot_sync(0xffffffff, k >= first && k <= last && is_near(all[min(k, last)]));
    };
    // The cell of another element among the neighbours of the lane's element.
    const auto cell_of = [&](const unsigned int sorted_other) {
        ${pair_of_nearest()}
    };
    const td_box<${of_columns.point}> *const groups = ${of_columns.boxes} + ${of_columns.tiles}, *const sections = groups + (${of_columns.tiles} + TILE - 1) / TILE;
    // The tiles at a distance from `begin` to `width` along the curve.
//% if domain.is_rectangle
    for (unsigned int begin = 0, width = stop;;) {
//% else
    for (unsigned int begin = 0, width = 0;; begin = width + 1, width = 16 * width + NEAREST / TILE + 1) {
//% endif
        const unsigned int first = ${of_columns.middle} - min(${of_columns.middle}, width), last = min(${of_columns.middle} + width, ${of_columns.tiles} - 1);
        for (unsigned int base = first / TILE / TILE; base <= last / TILE / TILE; base += TILE) {
            for (unsigned int section_bits = find(sections, base, first / TILE / TILE, last / TILE / TILE); section_bits != 0; section_bits &= section_bits - 1) {
                const unsigned int section = base + __ffs(section_bits) - 1;
                for (unsigned int group_bits = find(groups, TILE * section, first / TILE, last / TILE); group_bits != 0; group_bits &= group_bits - 1) {
                    const unsigned int group = TILE * section + __ffs(group_bits) - 1;
                    for (unsigned int tile_bits = find(${of_columns.boxes}, TILE * group, first, last); tile_bits != 0; tile_bits &= tile_bits - 1) {
                        const unsigned int tile_j = TILE * group + __ffs(tile_bits) - 1;
                        if (max(${of_columns.middle}, tile_j) - min(${of_columns.middle}, tile_j) < begin || !is_near(${of_columns.boxes}[tile_j]))
                            continue;
//% if domain.is_rectangle
                        if (step == SEARCH) {
                            least = bound_of(${of_columns.boxes}[tile_j]);
                            middle = tile_j;
                            continue;
                        }
                        // Whether it has been visited. A group may have a greater bound than one of its tiles, by rounding.
                        if (step == OTHERS && bound_of(${of_columns.boxes}[tile_j]) <= least && bound_of(groups[tile_j / TILE]) <= least && bound_of(sections[tile_j / TILE / TILE]) <= least)
                            continue;
//% endif
                        ${tile_of_nearest()}
                    }
                }
            }
        }
//% if domain.is_rectangle
        if (step == OTHERS && first == 0 && last == stop - 1)
            break;
        begin = step == OTHERS ? width + 1 : 0;
        width = step == SEARCH ? stop : step == LEAST ? 0 : 16 * width + NEAREST / TILE + 1;
        step = step == SEARCH ? LEAST : OTHERS;
//% else
        if (first == 0 && last == ${of_columns.tiles} - 1)
            break;
//% endif
    }
    ${neighbours.by_number(store_own(), "neighbours.merge();", "neighbours.merge();")}
//% endblock

//# Neighbours in a lane's registers.
//% macro own()
td_own_neighbours<NEAREST> neighbours;
unsigned long long *const cells = ${nearest[0].name}_cells + (unsigned long long)own * NEAREST;
neighbours.load(cells);
//% endmacro

//# Neighbours in memory, and a queue of candidates that this statement merges into them.
//% macro queued(merge)
constexpr unsigned int QUEUE = 16; // candidates that a lane lists
__shared__ unsigned long long queue[WARPS][TILE][QUEUE + 1];
const auto merge = [&](unsigned long long *const cells, const unsigned long long *const queued, const unsigned int count) {
    ${merge};
};
td_queued_neighbours<NEAREST, QUEUE, decltype(merge)> neighbours{${nearest[0].name}_cells, own, queue[warp], merge};
//% endmacro

//# Lanes past the end have the last element, which another lane stores.
//% macro store_own()
if (TILE * tile_i + lane < ${of_rows.count})
    neighbours.store(cells);
//% endmacro

//# The pairs of a near tile.
//% macro tile_of_nearest()
__syncwarp();
points[warp][lane] = td_point_of(${of_columns.boxed.name}_sorted[min(TILE * tile_j + lane, ${of_columns.count} - 1)]);
__syncwarp();
// A bit for each column that may be among the nearest.
unsigned int passed = 0;
#pragma unroll 8
for (unsigned int c = 0; c < TILE; ++c) {
    if (!(${nearest[0].rounded}${bound.of_points("point", "points[warp][c]")} > limit))
        passed |= 1u << c;
}
if (${of_columns.count} - TILE * tile_j < TILE)
    passed &= (1u << (${of_columns.count} - TILE * tile_j)) - 1;
//% if not diagonal and not domain.is_rectangle
if (tile_j == tile_i)
    passed &= ~(1u << sorted_own % TILE);
//% endif
${neighbours.by_number(put_own(), put_queued(), put_queued())}
update();
//% endmacro

//# Offers the columns that passed to the lane's neighbours.
//% macro put_own()
for (; passed != 0; passed &= passed - 1)
    neighbours.put(cell_of(TILE * tile_j + __ffs(passed) - 1));
__syncwarp();
//% endmacro

//# The same, by all lanes together: one of them may have to merge.
//% macro put_queued()
for (; __any_sync(0xffffffff, passed != 0); passed &= passed - 1)
    neighbours.put(passed != 0 ? cell_of(TILE * tile_j + __ffs(passed) - 1) : 0);
//% endmacro

//# A pair that passed. In one set, the element with the larger index becomes the row.
//% macro pair_of_nearest()
{% set near = nearest[0] %}
//% if domain.is_rectangle
const unsigned int other = column_order[sorted_other];
${evaluate("own", "other", "@_sorted[sorted_own]", "@_sorted[sorted_other]")}
//% else
const unsigned int other = order[sorted_other], i = max(own, other), j = min(own, other);
const unsigned int sorted_i = own > other ? sorted_own : sorted_other, sorted_j = own > other ? sorted_other : sorted_own;
${evaluate("i", "j", "@_sorted[sorted_i]", "@_sorted[sorted_j]")}
//% endif
return ${near.name}_pushed.is_number() ? (unsigned long long)~${near.order}::rank(${near.name}_pushed.value) << 32 | ~other : 0ull;
//% endmacro
