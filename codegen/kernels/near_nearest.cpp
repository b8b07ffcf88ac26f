//# The CPU source of kernels with a lower bound over boxes for nearest neighbours. A part visits the near tiles of its rows on both
//# sides, and finds the neighbours of its own elements only, so parts need no locks. The order of tiles is that of near_nearest.cu.
//% extends "near.cpp"
//% from "parts.cu" import evaluate

//% block pairs
{% set near = nearest[0] %}
    const unsigned int tiles = (${of_rows.count} + TILE - 1) / TILE;
//% if domain.is_rectangle
    const unsigned int stop = (columns + TILE - 1) / TILE;
//% endif
    const td_box<${of_columns.point}> *const groups = ${of_columns.boxes} + ${of_columns.tiles}, *const sections = groups + (${of_columns.tiles} + TILE - 1) / TILE;
    const ${near.queues} ${near.name}_queues{${near.name}_cells, ${near.name}_count};
    const unsigned int base = (devices * part + device) * (height / TILE);
//% if domain.is_rectangle
    // The tile of columns at which the latest row began, or one as far along the curve as the first row.
    unsigned int middle = (unsigned long long)base * stop / tiles;
//% endif
    for (unsigned int tile_i = base; tile_i < min(tiles, base + height / TILE); ++tile_i) {
        // The K-th value so far of each row, and the greatest of these.
        const unsigned int size = min(${of_rows.count} - TILE * tile_i, TILE);
        ${near.limit} limits[TILE]{}, farthest;
        const auto update = [&] {
            farthest = limits[0];
            for (unsigned int r = 1; r < size; ++r)
                farthest = max(farthest, limits[r]);
        };
        for (unsigned int r = 0; r < size; ++r)
            limits[r] = ${near.bound_of_cell}(${near.name}_queues.last_cell(${of_rows.order}[TILE * tile_i + r]));
        update();
        const td_box<${of_rows.point}> &bounds = ${of_rows.boxes}[tile_i];
        const auto is_near = [&](const td_box<${of_columns.point}> &other) {
            return !(${near.rounded}${bound.of_boxes("bounds", "other")} > farthest);
        };
        // Offers another element to a row.
        const auto evaluate = [&](const unsigned int r, const unsigned int sorted_other) {
            const unsigned int sorted_own = TILE * tile_i + r;
            ${pair_of_nearest()}
        };
        // Visits the tiles from `first` to `last` that pass a test, and whose sections and groups do.
        const auto for_each_tile = [&](const unsigned int first, const unsigned int last, const auto &is_due, const auto &visit) {
            for (unsigned int section = first / TILE / TILE; section <= last / TILE / TILE; ++section) {
                if (!is_due(sections[section]))
                    continue;
                for (unsigned int group = max(TILE * section, first / TILE); group <= min(TILE * section + TILE - 1, last / TILE); ++group) {
                    if (!is_due(groups[group]))
                        continue;
                    for (unsigned int tile_j = max(TILE * group, first); tile_j <= min(TILE * group + TILE - 1, last); ++tile_j) {
                        if (is_due(${of_columns.boxes}[tile_j]))
                            visit(tile_j);
                    }
                }
            }
        };
        const auto visit = [&](const unsigned int tile_j) {
            ${tile_of_nearest()}
        };
//% if domain.is_rectangle
        // The tiles with the least bound come first. They are those that the row overlaps, if any: no bound skips them, and they
        // have columns on all sides of the row's elements.
        auto least = ${bound.of_boxes("bounds", of_columns.boxes ~ "[middle]")};
        const auto is_nearer = [&](const td_box<${of_columns.point}> &other) { return ${bound.of_boxes("bounds", "other")} < least; };
        for_each_tile(0, stop - 1, is_nearer, [&](const unsigned int tile_j) {
            least = ${bound.of_boxes("bounds", of_columns.boxes ~ "[tile_j]")};
            middle = tile_j;
        });
        const auto is_first = [&](const td_box<${of_columns.point}> &other) { return ${bound.of_boxes("bounds", "other")} <= least; };
        for_each_tile(0, stop - 1, is_first, visit);
//% endif
        // The tiles at a distance from `begin` to `width` along the curve.
        for (unsigned int begin = 0, width = 0;; begin = width + 1, width = 16 * width + NEAREST / TILE + 1) {
            const unsigned int first = ${of_columns.middle} - min(${of_columns.middle}, width), last = min(${of_columns.middle} + width, ${of_columns.tiles} - 1);
            for_each_tile(first, last, is_near, [&](const unsigned int tile_j) {
                if (max(${of_columns.middle}, tile_j) - min(${of_columns.middle}, tile_j) < begin)
                    return;
//% if domain.is_rectangle
                // A group may have a greater bound than one of its tiles, by rounding. Then the tile has not been visited.
                if (is_first(${of_columns.boxes}[tile_j]) && is_first(groups[tile_j / TILE]) && is_first(sections[tile_j / TILE / TILE]))
                    return;
//% endif
                visit(tile_j);
            });
            if (first == 0 && last == ${of_columns.tiles} - 1)
                break;
        }
    }
//% endblock

//# The pairs of a near tile. Past the end, the last element is repeated.
//% macro tile_of_nearest()
${of_columns.point} points[TILE];
for (unsigned int c = 0; c < TILE; ++c)
    points[c] = td_point_of(${of_columns.boxed.name}_sorted[min(TILE * tile_j + c, ${of_columns.count} - 1)]);
for (unsigned int r = 0; r < size; ++r) {
    const ${of_rows.boxed.type} &element = ${of_rows.boxed.name}_sorted[TILE * tile_i + r];
    if (${nearest[0].rounded}${bound.of_boxes("td_box_of(element)", of_columns.boxes ~ "[tile_j]")} > limits[r])
        continue;
    const ${of_rows.point} point = td_point_of(element);
    const ${nearest[0].limit} limit = limits[r];
    unsigned char marks[TILE + 8];
    for (unsigned int c = 0; c < TILE; ++c)
        marks[c] = !(${nearest[0].rounded}${bound.of_points("point", "points[c]")} > limit);
//% if not diagonal and not domain.is_rectangle
    if (tile_i == tile_j)
        marks[r] = 0;
//% endif
    td_for_each_marked<1>(marks, min(${of_columns.count} - TILE * tile_j, TILE), [&](const unsigned int c) { evaluate(r, TILE * tile_j + c); });
}
update();
//% endmacro

//# A pair that passed. In one set, the element with the larger index becomes the row.
//% macro pair_of_nearest()
{% set near = nearest[0] %}
//% if domain.is_rectangle
const unsigned int own = row_order[sorted_own], other = column_order[sorted_other];
if (!(${domain.has_row("own")}))
    return;
${evaluate("own", "other", "@_sorted[sorted_own]", "@_sorted[sorted_other]")}
//% else
const unsigned int own = order[sorted_own], other = order[sorted_other], i = max(own, other), j = min(own, other);
if (!(${domain.has_row("i")}))
    return;
const unsigned int sorted_i = own > other ? sorted_own : sorted_other, sorted_j = own > other ? sorted_other : sorted_own;
${evaluate("i", "j", "@_sorted[sorted_i]", "@_sorted[sorted_j]")}
//% endif
if (!${near.name}_pushed.is_number())
    return;
const unsigned long long cell = ${near.name}_queues.cell_of(other, ${near.name}_pushed.value);
if (cell > ${near.name}_queues.last_cell(own)) {
    ${near.name}_queues.insert(own, cell);
    limits[r] = ${near.bound_of_cell}(${near.name}_queues.last_cell(own));
}
//% endmacro
