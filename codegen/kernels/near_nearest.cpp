//# The CPU source of kernels with a lower bound over boxes for nearest neighbours. A part visits the near tiles of its rows on both
//# sides, and finds the neighbours of its own elements only, so parts need no locks. The order of tiles is that of near_nearest.cu.
//% extends "near.cpp"
//% from "parts.cu" import evaluate

{% block kernel %}
{% set near = nearest[0] %}
extern "C" void ${name}_kernel(¶const unsigned int part,¶${parameters})
{
#include <constants>

    const unsigned int tiles = (n + TILE - 1) / TILE;
    const td_box<td_point> *const groups = boxes + tiles, *const sections = groups + (tiles + TILE - 1) / TILE;
    const ${near.queues} ${near.name}_queues{${near.name}_cells, ${near.name}_count};
    const unsigned int end = min((part + 1) * (height / TILE), tiles);
    for (unsigned int tile_i = part * (height / TILE); tile_i < end; ++tile_i) {
        // The bounds that pairs of each row have to reach, and their maximum, which tiles have to reach.
        const unsigned int rows = min(n - TILE * tile_i, TILE);
        ${near.limit} limits[TILE], farthest;
        const auto update = [&] {
            farthest = limits[0];
            for (unsigned int r = 1; r < rows; ++r)
                farthest = max(farthest, limits[r]);
        };
        for (unsigned int r = 0; r < rows; ++r)
            limits[r] = ${near.bound_of_cell}(${near.name}_queues.last_cell(order[TILE * tile_i + r]));
        update();
        const auto is_near = [&](const td_box<td_point> &other) {
            return !(${name}_lower_bound(¶td_each<td_box<td_point>>{boxes[tile_i], other}${near_arguments}) > farthest);
        };
        // Offers another element to a row.
        const auto evaluate = [&](const unsigned int r, const unsigned int sorted_other) {
            const unsigned int sorted_own = TILE * tile_i + r;
            ${pair_of_nearest()}
        };
        // The tiles at a distance from `begin` to `width` along the curve.
        for (unsigned int begin = 0, width = 0;; begin = width + 1, width = 16 * width + NEAREST / TILE + 1) {
            const unsigned int first = tile_i - min(tile_i, width), last = min(tile_i + width, tiles - 1);
            for (unsigned int section = first / TILE / TILE; section <= last / TILE / TILE; ++section) {
                if (!is_near(sections[section]))
                    continue;
                for (unsigned int group = max(TILE * section, first / TILE); group <= min(TILE * section + TILE - 1, last / TILE); ++group) {
                    if (!is_near(groups[group]))
                        continue;
                    for (unsigned int tile_j = max(TILE * group, first); tile_j <= min(TILE * group + TILE - 1, last); ++tile_j) {
                        if (max(tile_i, tile_j) - min(tile_i, tile_j) < begin || !is_near(boxes[tile_j]))
                            continue;
                        ${tile_of_nearest()}
                    }
                }
            }
            if (first == 0 && last == tiles - 1)
                break;
        }
    }
}
{% endblock %}

//# The pairs of a near tile. Past the end, the last element is repeated.
//% macro tile_of_nearest()
td_point points[TILE];
for (unsigned int c = 0; c < TILE; ++c)
    points[c] = td_point_of(${boxed.name}_sorted[min(TILE * tile_j + c, n - 1)]);
for (unsigned int r = 0; r < rows; ++r) {
    const ${boxed.type} &element = ${boxed.name}_sorted[TILE * tile_i + r];
    if (${name}_lower_bound(¶td_each<td_box<td_point>>{td_box_of(element), boxes[tile_j]}${near_arguments}) > limits[r])
        continue;
    const td_point point = td_point_of(element);
    const ${nearest[0].limit} limit = limits[r];
    unsigned char marks[TILE + 8];
    for (unsigned int c = 0; c < TILE; ++c)
        marks[c] = !(${name}_lower_bound(¶td_each<td_single<td_point>>{{point, point}, {points[c], points[c]}}${near_arguments}) > limit);
//% if not diagonal
    if (tile_i == tile_j)
        marks[r] = 0;
//% endif
    td_for_each_marked<1>(marks, min(n - TILE * tile_j, TILE), [&](const unsigned int c) { evaluate(r, TILE * tile_j + c); });
}
update();
//% endmacro

//# A pair that passed. The element with the larger index becomes the row.
//% macro pair_of_nearest()
{% set near = nearest[0] %}
const unsigned int own = order[sorted_own], other = order[sorted_other], i = max(own, other), j = min(own, other);
if (!(${domain.has_row("i")}))
    return;
const unsigned int sorted_i = own > other ? sorted_own : sorted_other, sorted_j = own > other ? sorted_other : sorted_own;
${evaluate("i", "j", "@_sorted[sorted_i]", "@_sorted[sorted_j]")}
if (!${near.name}_pushed.is_number())
    return;
const unsigned long long cell = ${near.name}_queues.cell_of(other, ${near.name}_pushed.value);
if (cell > ${near.name}_queues.last_cell(own)) {
    ${near.name}_queues.insert(own, cell);
    limits[r] = ${near.bound_of_cell}(${near.name}_queues.last_cell(own));
}
//% endmacro
