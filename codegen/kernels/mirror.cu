//# The sweep for squares that computes each pair once: a tile's values go to the lower half of the square
//# by rows, and through shared memory to the upper half by columns, so that both are written in whole sectors.
//#
//# That is so where rows start at multiples of a sector. Where they do not, each value is stored by itself, and
//# the sweep over rows is faster.
//% extends "kernel.cu"
//% from "parts.cu" import and_aligned, append, evaluate, groups_begin, groups_end, over, own_place, segments, store, values

{% block work %}each pair once, for both halves of the square{% endblock %}

//% block stage
//% if each

    // Stage the elements of the tile's rows and columns.
//% for p in each
    __shared__ ${p.type} ${p.name}_rows[${side}];
    __shared__ td_columns<${p.type}, ${side}> ${p.name}_cols;
//% endfor
//% set rows
//% for p in each
        ${p.name}_rows[place] = ${p.name}_all[min(row * ${side} + place, n - 1)];
//% endfor
//% endset
//% set columns
//% for p in each
        ${p.name}_cols.put(place, ${p.name}_all[min(col * ${side} + place, n - 1)]);
//% endfor
//% endset
//% if map.walks
    if (${map.is_new_row}) {~
        ${over(side)} {~
            ${rows}
        ~}
    ~}
    ${over(side)} {~
        ${columns}
    ~}
//% else
    ${over(side)} {~
        ${rows}
        ${columns}
    ~}
//% endif
    __syncthreads();
//% endif
//% endblock

//% block pairs
${segments()}

    // The tile's values, for the half above the diagonal.
//% for slot in squares
    __shared__ td_mirror<${slot.type}, ${side}, ${neighbours}> ${slot.name}_tile;
//% endfor
//# The vectors of the upper half start where every row of the squares starts at a multiple of 16 bytes.
    if (${domain.interior}${and_whole_vectors()}${and_aligned()}) {
        ${interior()}
    } else {
        ${boundary()}
    }
//% endblock

//# The condition, after others, that every row of the squares starts at a multiple of 16 bytes. What a multiple of more
//# elements is, is one of fewer.
{% macro and_whole_vectors() -%}
{% set multiple = squares|map(attribute="multiple")|max %}${" && n % " ~ multiple ~ " == 0" if multiple > 1 else ""}
{%- for slot in squares if not slot.multiple %} && n * sizeof(${slot.type}) % 16 == 0{% endfor %}
{%- endmacro %}

//% macro interior()
//% set next = "group + next" if has_groups else "next"
//% set kept = "@_col[" ~ ("group / " ~ width ~ " + next" if has_groups else "next") ~ "]"
//% set staged = "@_cols.at(" ~ neighbours ~ " * threadIdx.x, " ~ next ~ ")"
//% set plus_group = " + group" if has_groups else ""
//% set line = "row * " ~ side ~ " + down"
//% set column = "col * " ~ side ~ " + " ~ neighbours ~ " * threadIdx.x" ~ plus_group ~ " + next"
        // An interior tile: neighbours are stored as vectors, first below the diagonal and into the mirror.
//% if has_kept
//% for p in each if p.is_kept
        ${p.type} ${p.name}_col[${columns_of_thread}];
//% endfor
        ${groups_begin()}
#pragma unroll
        for (unsigned int next = 0; next < ${neighbours}; ++next) {~
//% for p in each if p.is_kept
            ${kept|replace("@", p.name)} = ${staged|replace("@", p.name)};
//% endfor
        ~}
        ${groups_end()}
//% endif
        const unsigned long long step = ${height}ull * n;
//% for slot in squares
        ${slot.type} *${slot.name}_line = ${slot.memory} + (unsigned long long)(row * ${side} + threadIdx.y) * n + col * ${side}${own_place(slot)};
//% endfor
#pragma unroll ${unroll if is_short else 1}
        for (unsigned int down = threadIdx.y; down < ${side}; down += ${height}) {
            ${groups_begin()}
            ${values("[" ~ neighbours ~ "]")}
#pragma unroll
            for (unsigned int next = 0; next < ${neighbours}; ++next) {
                ${evaluate(line, column, "@_rows[down], " ~ staged, "[next]", "@_rows[down], " ~ kept)}
                ${append("(" ~ line ~ ")", "(" ~ column ~ ")")}
            }
//% for slot in squares
            ${store(slot, slot.name ~ "_line" ~ plus_group)}
//% endfor
#pragma unroll
            for (unsigned int next = 0; next < ${neighbours}; ++next) {
//% for slot in squares
                ${slot.name}_tile.at(${neighbours} * threadIdx.x${plus_group} + next, down) = ${slot.name}_value[next];
//% endfor
            }
            ${groups_end()}
//% for slot in squares
            ${slot.name}_line += step;
//% endfor
        }
        __syncthreads();
        // Above it, from the mirror.
//% for slot in squares
        ${slot.type} *${slot.name}_upper = ${slot.memory} + (unsigned long long)(col * ${side} + threadIdx.y) * n + row * ${side};
//% endfor
#pragma unroll ${unroll}
        for (unsigned int down = threadIdx.y; down < ${side}; down += ${height}) {
//% for slot in squares
            ${slot.name}_tile.store<${width}>(${slot.name}_upper, down);
//% endfor
//% for slot in squares
            ${slot.name}_upper += step;
//% endfor
        }
//% endmacro

//% macro boundary()
        // The diagonal filter: pairs ${filter}, inside the triangle.
        const unsigned int thread = threadIdx.y * ${width} + threadIdx.x;
        for (unsigned int place = thread; place < ${side} * ${side}; place += ${threads}) {
            const unsigned int down = place / ${side}, across = place % ${side};
            const unsigned int i = row * ${side} + down, j = col * ${side} + across;
            if (${domain.has_pair}) {
                ${values()}
                ${evaluate("i", "j", "@_rows[down], @_cols.at(across)")}
                ${append("i", "j")}
//% for slot in squares
                ${slot.name}_tile.at(across, down) = ${slot.name}_value;
//% endfor
//% if not diagonal
            } else if (i == j && i < n) {
//% for slot in squares
                ${slot.name}_tile.at(across, down) = ${slot.name}_diagonal;
//% endfor
//% endif
            }
        }
        __syncthreads();
        for (unsigned int place = thread; place < ${side} * ${side}; place += ${threads}) {
            const unsigned int down = place / ${side}, across = place % ${side};
            if (row * ${side} + down >= col * ${side} + across && row * ${side} + down < n) {
//% for slot in squares
                ${slot.name}_square[(unsigned long long)(row * ${side} + down) * n + col * ${side} + across] = ${slot.name}_tile.at(across, down);
//% endfor
            }
            if (row * ${side} + across > col * ${side} + down && row * ${side} + across < n) {
//% for slot in squares
                ${slot.name}_square[(unsigned long long)(col * ${side} + down) * n + row * ${side} + across] = ${slot.name}_tile.at(down, across);
//% endfor
            }
        }
//% endmacro
