//# The CPU source of kernels with a lower bound over boxes. A call of the kernel visits a part of the sorted elements: for each
//# tile of 32, the near sections, groups and tiles, by their boxes. The lower bounds of an element with a tile's columns are a
//# loop that the compiler vectorises; the few pairs that pass are evaluated one by one. Several devices take the parts in turn.
//% extends "kernel.cpp"
//% from "parts.cu" import evaluate
//% import "outputs.cpp" as outputs
//% set result = outputs.result
//% from "boxes.cu" import boxes

{% block work %}those of near tiles, in plain loops for a CPU{% endblock %}
{% block call %}each part of the sorted elements{% endblock %}

//% block earlier
${boxes()}

// Extends a box by another one.
template <typename Point>
static inline void td_extend(td_box<Point> &bounds, td_box<Point> other)
{
    td_for_each_coordinate([](auto &lo, auto &other_lo) { lo = other_lo < lo ? other_lo : lo; }, bounds.lo, other.lo);
    td_for_each_coordinate([](auto &hi, auto &other_hi) { hi = other_hi > hi ? other_hi : hi; }, bounds.hi, other.hi);
}
//% if is_list
//% for set in sets

// Before a launch over the list, a call for each part: the number of its elements${set.of} that may be too far from where they were.
extern "C" void ${name}_${set.prefix}moved(¶const unsigned int part,¶${near_parameters},¶${set.last},¶unsigned int *const counts)
{
    const unsigned int begin = part * height;
    counts[part] = 0;
    for (unsigned int k = begin; k < begin + min(${set.count} - begin, height); ++k)
        counts[part] += td_has_moved(${set.boxed.name}_all[${set.order}[k]], ${set.boxed.name}_sorted[k], skin);
}
//% endfor
//% elif not nearest

// Before all other functions, in one call: tests the pairs of some elements, and counts those that pass. If many do, a launch
// visits all pairs instead.${" If both sets are the same one, no element is tested with itself." if domain.is_rectangle else ""}
extern "C" void ${name}_sample(¶const unsigned int,¶${near_parameters},¶unsigned int *const count)
{
#include <constants>

    const unsigned int tested_rows = min(${of_rows.count} / 16, TESTED), tested_columns = min(${of_columns.count} / 16, TESTED);
    ${of_columns.point} points[TESTED];
    for (unsigned int k = 0; k < tested_columns; ++k)
        points[k] = td_point_of(${of_columns.boxed.name}_all[td_sampled(k, ${of_columns.count}, tested_columns)]);
    *count = 0;
    for (unsigned int r = 0; r < tested_rows; ++r) {
        const ${of_rows.point} point = td_point_of(${of_rows.boxed.name}_all[td_sampled(r, ${of_rows.count}, tested_rows)]);
        unsigned int passed = 0;
        for (unsigned int c = 0; c < ${"tested_columns" if domain.is_rectangle else "r"}; ++c)
            passed += ${"c != r && " if domain.is_rectangle else ""}!(${bound.of_points("point", "points[c]")} > 0);
        *count += passed;
    }
}
//% endif
//% for set in sets

// Before the kernel, in one call: sorts the elements${set.of} by their cells, copies them in this order, and computes the boxes of
// tiles, groups and sections.
extern "C" void ${name}_${set.prefix}sort(¶const unsigned int,¶${near_parameters},¶unsigned int *keys,¶unsigned int *keys_to,¶unsigned int *order_to,¶${set.last})
{
#include <constants>

    // The grid, from the coordinates of some elements.
    double frame[2 * ORDER], coordinates[ORDER], lo[ORDER], hi[ORDER];
    for (unsigned int d = 0; d < ORDER; ++d) {
        lo[d] = 0x1.fffffffffffffp1023;
        hi[d] = -0x1.fffffffffffffp1023;
    }
    for (unsigned int k = 0; k < min(${set.count}, SAMPLES); ++k) {
        td_coordinates_of(${set.boxed.name}_all[td_sampled(k, ${set.count}, SAMPLES)], coordinates);
        for (unsigned int d = 0; d < ORDER; ++d) {
            if (fabs(coordinates[d]) <= 0x1.fffffffffffffp1023) {
                lo[d] = min(lo[d], coordinates[d]);
                hi[d] = max(hi[d], coordinates[d]);
            }
        }
    }
    for (unsigned int d = 0; d < ORDER; ++d) {
        frame[2 * d] = lo[d];
        frame[2 * d + 1] = hi[d] > lo[d] ? (1u << 30 / ORDER) / (hi[d] - lo[d]) : 0;
    }
    for (unsigned int element = 0; element < ${set.count}; ++element) {
        td_coordinates_of(${set.boxed.name}_all[element], coordinates);
        keys[element] = td_morton(coordinates, frame);
        ${set.order}[element] = element;
    }
    // By eight bits at a time. An even number of passes ends where it began.
    unsigned int *order_from = ${set.order};
    for (unsigned int shift = 0; shift < 32; shift += 8) {
        unsigned int starts[DIGITS + 1]{};
        for (unsigned int k = 0; k < ${set.count}; ++k)
            ++starts[(keys[k] >> shift) % DIGITS + 1];
        for (unsigned int digit = 1; digit < DIGITS; ++digit)
            starts[digit] += starts[digit - 1];
        for (unsigned int k = 0; k < ${set.count}; ++k) {
            const unsigned int slot = starts[(keys[k] >> shift) % DIGITS]++;
            keys_to[slot] = keys[k];
            order_to[slot] = order_from[k];
        }
        unsigned int *const own_keys = keys, *const own_order = order_from;
        keys = keys_to;
        keys_to = own_keys;
        order_from = order_to;
        order_to = own_order;
    }
    for (unsigned int k = 0; k < ${set.count}; ++k) {~
        ${set.sorted|lines("@_sorted[k] = @_all[" ~ set.order ~ "[k]];")}
    ~}
    unsigned int count = (${set.count} + TILE - 1) / TILE;
    for (unsigned int tile = 0; tile < count; ++tile) {
        td_box<${set.point}> bounds = td_box_of(${set.boxed.name}_sorted[TILE * tile]);
        for (unsigned int k = TILE * tile + 1; k < min(${set.count}, TILE * tile + TILE); ++k)
            td_extend(bounds, td_box_of(${set.boxed.name}_sorted[k]));
        ${set.boxes}[tile] = bounds;
    }
    // Groups, and then sections.
    td_box<${set.point}> *from = ${set.boxes};
    for (unsigned int level = 0; level < 2; ++level) {
        td_box<${set.point}> *const to = from + count;
        for (unsigned int k = 0; k < count; ++k) {
            if (k % TILE == 0)
                to[k / TILE] = from[k];
            else
                td_extend(to[k / TILE], from[k]);
        }
        from = to;
        count = (count + TILE - 1) / TILE;
    }
}
//% endfor
//% endblock

//% macro pair()
//% if is_list
pairs.add(i, j);
//% else
${evaluated_pair()}
//% endif
//% endmacro

//% macro evaluated_pair()
${outputs.begin_pair()}
${row_results|only("exact")|lines("@.part @_row;")}
${column_results|only("exact")|lines("@.part @_col;")}
//% if domain.is_rectangle
${tile_row_results|lines("@.part &@_row = @_rows[r];")}
${tile_column_results|lines("@.part &@_col = @_cols[c];")}
${evaluate("i", "j", "@_sorted[row]", "@_sorted[column]")}
//% else
${tile_results|lines("@.part &@_row = is_swapped ? @_cols[c] : @_rows[r], &@_col = is_swapped ? @_rows[r] : @_cols[c];")}
${evaluate("i", "j", "@_sorted[is_swapped ? column : row]", "@_sorted[is_swapped ? row : column]")}
//% endif
${result.gather(row_results|only("exact"), "@_row@.member@.value", "i", of_rows.count)}
${result.gather(column_results|only("exact"), "@_col@.member@.value", "j", of_columns.count)}
${outputs.end_pair("i", "j")}
//% endmacro

//# Adds the results of a tile's elements to their cells.
//% macro added(tile, what, results, set)
for (unsigned int k = 0; k < min(${set.count} - TILE * ${tile}, TILE); ++k) {
const unsigned int element = ${set.order}[TILE * ${tile} + k];
${result.gather(results, "@_" ~ what ~ "[k]@.member@.value", "element", set.count)}
${results|lines("@_" ~ what ~ "[k] = {};")}
}
//% endmacro

//# The pairs of a near tile. Past the end, the last element is repeated.
//% macro near_tile()
${of_columns.point} points[TILE];
for (unsigned int c = 0; c < TILE; ++c)
    points[c] = td_point_of(${of_columns.boxed.name}_sorted[min(TILE * tile_j + c, ${of_columns.count} - 1)]);
for (unsigned int k = TILE * tile_i; k < min(${of_rows.count}, TILE * tile_i + TILE); ++k) {
    if (!is_near(td_box_of(${of_rows.boxed.name}_sorted[k]), ${of_columns.boxes}[tile_j]))
        continue;
    const ${of_rows.point} point = td_point_of(${of_rows.boxed.name}_sorted[k]);
    unsigned char marks[TILE + 8];
    for (unsigned int c = 0; c < TILE; ++c)
        marks[c] = !(${bound.of_points("point", "points[c]")} > ${limit});
    const unsigned int width = min(${"columns" if domain.is_rectangle else "k + 1" if diagonal else "k"} - TILE * tile_j, TILE);
    td_for_each_marked<1>(marks, width, [&](const unsigned int c) { evaluate(k, TILE * tile_j + c); });
}
//% if tile_column_results
${added("tile_j", "cols", tile_column_results, of_columns)}
//% endif
//% endmacro

//% block pairs
    const unsigned int tiles = (${of_rows.count} + TILE - 1) / TILE;
//% if domain.is_rectangle
    const unsigned int stop = (columns + TILE - 1) / TILE;
//% endif
    const td_box<${of_columns.point}> *const groups = ${of_columns.boxes} + ${of_columns.tiles}, *const sections = groups + (${of_columns.tiles} + TILE - 1) / TILE;
    ${outputs.begin_part()}
//% if is_list
    // The host has rounded the skin up to a float.
    const float limit = skin;
    td_pair_buffer pairs{kept, used, room};
//% endif
    ${(tile_row_results|lines("@.part @_rows[TILE];") ~ tile_column_results|lines("@.part @_cols[TILE];"))|under("// The results of a tile's rows and of its columns.")}
    ${("const unsigned int cell = (devices * part + device) % TOTAL_CELLS;" if sums else "")|under("// Add each sum to one cell of its total.")}
    // Evaluates a pair that passed, of two sorted elements.${"" if domain.is_rectangle else " The one with the larger index becomes the row."}
    const auto evaluate = [&](const unsigned int row, const unsigned int column) {
//% if domain.is_rectangle
        const unsigned int i = row_order[row], j = column_order[column];
//% else
        const bool is_swapped = order[row] < order[column];
        const unsigned int i = max(order[row], order[column]), j = min(order[row], order[column]);
//% endif
        if (${domain.has_row("i")}) {
//% if tile_results
            const unsigned int r = row % TILE, c = column % TILE;
//% endif
            ${pair()}
        }
    };
    // Whether a pair of these boxes may change anything.
    const auto is_near = [&](const td_box<${of_rows.point}> &a, const td_box<${of_columns.point}> &b) {
        return !(${bound.of_boxes("a", "b")} > ${limit});
    };
    const unsigned int base = (devices * part + device) * (height / TILE);
    for (unsigned int tile_i = base; tile_i < min(tiles, base + height / TILE); ++tile_i) {
        const unsigned int end = ${"stop" if domain.is_rectangle else "tile_i + 1"}, group_of_end = (end - 1) / TILE;
        for (unsigned int section = 0; section <= group_of_end / TILE; ++section) {
            if (!is_near(${of_rows.boxes}[tile_i], sections[section]))
                continue;
            for (unsigned int group = TILE * section; group < min(TILE * section + TILE, group_of_end + 1); ++group) {
                if (!is_near(${of_rows.boxes}[tile_i], groups[group]))
                    continue;
                for (unsigned int tile_j = TILE * group; tile_j < min(TILE * group + TILE, end); ++tile_j) {
                    if (!is_near(${of_rows.boxes}[tile_i], ${of_columns.boxes}[tile_j]))
                        continue;
                    ${near_tile()}
                }
            }
        }
//% if tile_row_results
        ${added("tile_i", "rows", tile_row_results, of_rows)}
//% endif
    }
//% if is_list
    pairs.flush();
//% endif
    ${outputs.end_part("")}
//% endblock
