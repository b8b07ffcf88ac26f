//# The sweep for squares that computes each pair once: a tile's values go to the lower half of the square
//# by rows, and through shared memory to the upper half by columns, so that both are written in whole sectors.
//#
//# Whole sectors need rows that start at multiples of a sector. In other squares each value is stored by itself, and
//# the sweep over rows is faster.
//#
//# The order of a kernel: helpers, pair function, signature, the map's prologue (kernel.cu); stage and pairs (here);
//# the flush of the sums (kernel.cu). What several sweeps share, such as the call of the pair function: parts.cu.
//% extends "kernel.cu"
//% from "parts.cu" import and_aligned, append, evaluate, groups_begin, groups_end, over, own_offset, segments, store, values

{% block work %}each pair once, for both halves of the square{% endblock %}

//% block stage
//% if each

    // Stage the elements of the tile's rows and columns.
//% for p in each
    __shared__ ${p.type} ${p.name}_rows[${side}];
    __shared__ td_columns<${p.type}, ${side}> ${p.name}_cols;
//% endfor
//% set stage_rows
//% for p in each
        ${p.name}_rows[k] = ${p.name}_all[min(row * ${side} + k, n - 1)];
//% endfor
//% endset
//% set stage_columns
//% for p in each
        ${p.name}_cols.put(k, ${p.name}_all[min(col * ${side} + k, n - 1)]);
//% endfor
//% endset
//% if map.walks
    if (${map.is_new_row}) {~
        ${over(side, stage_rows)}
    ~}
    ${over(side, stage_columns)}
//% else
    ${over(side, stage_rows ~ stage_columns)}
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

//# The condition, after others, that every row of the squares starts at a multiple of 16 bytes. The largest of the
//# slots' counts of elements decides: it is a multiple of the smaller ones.
{% macro and_whole_vectors() -%}
${" && n % " ~ multiple ~ " == 0" if multiple > 1 else ""}
{%- for slot in squares if not slot.has_known_size %} && n * sizeof(${slot.type}) % 16 == 0{% endfor %}
{%- endmacro %}

//# The rows that a thread has of the tile: one, or several in a loop.
//% macro rows_begin(unroll)
//% if height < side
#pragma unroll ${unroll}
        for (unsigned int r = threadIdx.y; r < ${side}; r += ${height}) {
//% else
        {
        const unsigned int r = threadIdx.y;
//% endif
//% endmacro
{% macro rows_end() %}}{% endmacro %}

//% macro interior()
//% set next = "group + k" if has_groups else "k"
//% set kept = "@_col[" ~ ("group / " ~ width ~ " + k" if has_groups else "k") ~ "]"
//% set staged = "@_cols.at(" ~ neighbours ~ " * threadIdx.x, " ~ next ~ ")"
//% set plus_group = " + group" if has_groups else ""
//% set line = "row * " ~ side ~ " + r"
//% set column = "col * " ~ side ~ " + " ~ neighbours ~ " * threadIdx.x" ~ plus_group ~ " + k"
        // An interior tile: vector stores below the diagonal, and the values into the mirror.
//% if has_kept
//% for p in each if p.is_kept
        ${p.type} ${p.name}_col[${columns_of_thread}];
//% endfor
        ${groups_begin()}
#pragma unroll
        for (unsigned int k = 0; k < ${neighbours}; ++k) {~
//% for p in each if p.is_kept
            ${kept|replace("@", p.name)} = ${staged|replace("@", p.name)};
//% endfor
        ~}
        ${groups_end()}
//% endif
//% if height < side
        const unsigned long long step = ${height}ull * n;
//% endif
//% for slot in squares
        ${slot.type} *${slot.name}_line = ${slot.memory} + (unsigned long long)(row * ${side} + threadIdx.y) * n + col * ${side}${own_offset(slot)};
//% endfor
        ${rows_begin(unroll if is_short else 1)}
            ${groups_begin()}
            ${values("[" ~ neighbours ~ "]")}
#pragma unroll
            for (unsigned int k = 0; k < ${neighbours}; ++k) {
                ${evaluate(line, column, "@_rows[r]", staged, "[k]", kept_column=kept)}
                ${append("(" ~ line ~ ")", "(" ~ column ~ ")")}
            }
//# The vector store.
//% for slot in squares
            ${store(slot, slot.name ~ "_line" ~ plus_group)}
//% endfor
#pragma unroll
            for (unsigned int k = 0; k < ${neighbours}; ++k) {
//% for slot in squares
                ${slot.name}_tile.at(${neighbours} * threadIdx.x${plus_group} + k, r) = ${slot.value}[k];
//% endfor
            }
            ${groups_end()}
//% for slot in squares if height < side
            ${slot.name}_line += step;
//% endfor
        ${rows_end()}
        __syncthreads();
        // Vector stores above it, from the mirror.
//% for slot in squares
        ${slot.type} *${slot.name}_upper = ${slot.memory} + (unsigned long long)(col * ${side} + threadIdx.y) * n + row * ${side};
//% endfor
        ${rows_begin(unroll)}
//% for slot in squares
            ${slot.name}_tile.store<${width}>(${slot.name}_upper, r);
//% endfor
//% for slot in squares if height < side
            ${slot.name}_upper += step;
//% endfor
        ${rows_end()}
//% endmacro

//% macro boundary()
        // A boundary tile, with the diagonal filter: pairs ${domain.filter}, inside the triangle.
        const unsigned int thread = threadIdx.y * ${width} + threadIdx.x;
        for (unsigned int k = thread; k < ${side} * ${side}; k += ${threads}) {
            const unsigned int r = k / ${side}, c = k % ${side};
            const unsigned int i = row * ${side} + r, j = col * ${side} + c;
            if (${domain.has_pair}) {
                ${values()}
                ${evaluate("i", "j", "@_rows[r]", "@_cols.at(c)")}
                ${append("i", "j")}
//% for slot in squares
                ${slot.name}_tile.at(c, r) = ${slot.value};
//% endfor
//% if not diagonal
            } else if (i == j && ${domain.has_row("i")}) {
//% for slot in squares
                ${slot.name}_tile.at(c, r) = ${slot.name}_diagonal;
//% endfor
//% endif
            }
        }
        __syncthreads();
        for (unsigned int k = thread; k < ${side} * ${side}; k += ${threads}) {
            const unsigned int r = k / ${side}, c = k % ${side};
            if (${domain.has("row * " ~ side ~ " + r", "col * " ~ side ~ " + c", true)}) {
//% for slot in squares
                ${slot.name}_square[(unsigned long long)(row * ${side} + r) * n + col * ${side} + c] = ${slot.name}_tile.at(c, r);
//% endfor
            }
            if (${domain.has("row * " ~ side ~ " + c", "col * " ~ side ~ " + r", false)}) {
//% for slot in squares
                ${slot.name}_square[(unsigned long long)(col * ${side} + r) * n + row * ${side} + c] = ${slot.name}_tile.at(r, c);
//% endfor
            }
        }
//% endmacro
