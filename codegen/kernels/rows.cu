//# The sweep over rows: threads lie along the rows of a tile, and each has some columns, whose elements it
//# keeps for all of its rows, and whose values it stores together.
//#
//# A row starts anywhere in packed memory, and a segment of it that starts in the middle of a sector ends
//# in the middle of another: writing parts of sectors costs twice. So the segments of a row start at
//# multiples of a few slots, up to so many columns before the tile's own: what a tile leaves to the next one
//# it takes from the one before. The first tile of a row starts at its first slot, the last one ends at its last.
//#
//# Of a square both halves are swept, each along its own rows: the lower one with pairs (row, column),
//# the upper one with pairs (column, row).
//% extends "kernel.cu"
//% from "parts.cu" import and_aligned, append, evaluate, groups_begin, groups_end, over, own_place, segments, store, values

{% block work %}threads along the rows of a tile${", in both halves of the square" if squares else ""}{% endblock %}

//# A segment of a row starts some columns before the tile's own, so those are staged too. For the upper half of a
//# square rows and columns change places.
//% block stage
//% if each

//% if squares
    // Stage the elements of the tile's rows and columns, both also with the ${alignment} before them.
//% else
    // Stage the elements of the tile's rows, and of its columns with the ${alignment} before them.
//% endif
//% for p in each
    __shared__ ${p.type} ${p.name}_rows[${side}];
    __shared__ td_columns<${p.type}, ${side + alignment}> ${p.name}_cols;
//% if squares
    __shared__ ${p.type} ${p.name}_cols_above[${side}];
    __shared__ td_columns<${p.type}, ${side + alignment}> ${p.name}_rows_above;
//% endif
//% endfor
//% set rows
//% for p in each
        ${p.name}_rows[place] = ${p.name}_all[min(row * ${side} + place, n - 1)];
//% endfor
//% endset
//% set rows_above
//% for p in each if squares
        ${p.name}_rows_above.put(place, ${p.name}_all[min(max(row * ${side} + place, ${alignment}u) - ${alignment}, n - 1)]);
//% endfor
//% endset
//% set columns_above
//% for p in each if squares
        ${p.name}_cols_above[place] = ${p.name}_all[min(col * ${side} + place, n - 1)];
//% endfor
//% endset
//% set columns
//% for p in each
        ${p.name}_cols.put(place, ${p.name}_all[min(max(col * ${side} + place, ${alignment}u) - ${alignment}, n - 1)]);
//% endfor
//% endset
//% if map.walks
    if (${map.is_new_row}) {~
        ${over(side)} {~
            ${rows}
        ~}
        ${over(side + alignment)} {~
            ${rows_above}
        ~}
    ~}
    ${over(side)} {~
        ${columns_above}
    ~}
    ${over(side + alignment)} {~
        ${columns}
    ~}
//% else
    ${over(side)} {~
        ${rows}
        ${columns_above}
    ~}
    ${over(side + alignment)} {~
        ${rows_above}
        ${columns}
    ~}
//% endif
    __syncthreads();
//% endif
//% endblock

//% block pairs
${segments()}

//% if squares
    // The half below the diagonal.
    if (col > 0 && ${domain.interior}${and_aligned()}) {
        ${interior("row", "col")}
    } else {
        ${boundary("row", "col")}
    }

    // The half above it: the same tile, by its columns.
    if (col < row) {
//# The tile beside the diagonal reaches across it, and the last one on to n.
        if (row > col + 1 && (row + 1) * ${side} < n${and_aligned()}) {
            ${interior("col", "row")}
        } else {
            ${boundary("col", "row")}
        }
    }
//% else
    if (col > 0 && ${domain.interior}${and_aligned()}) {
        ${interior("row", "col")}
    } else {
        ${boundary("row", "col")}
    }
//% endif
//% endblock

//# An interior tile, along its `lines`: its rows, or its columns in the half above the diagonal.
//% macro interior(lines, columns)
//% set above = "_above" if lines == "col" else ""
//% set next = "group + next" if has_groups else "next"
//% set kept = "@_" ~ columns ~ "[" ~ ("group / " ~ width ~ " + next" if has_groups else "next") ~ "]"
//% set staged = "@_" ~ columns ~ "s" ~ above ~ ".at(place, " ~ next ~ ")"
//% set plus_group = " + group" if has_groups else ""
//% set line = "top + down"
//% set column = columns ~ " * " ~ side ~ " + place" ~ plus_group ~ " + next - " ~ alignment
    // An interior tile. The segments of its rows start at multiples of ${alignment} slots, before the tile's own first
    // column. From a row of the thread to its next, the start grows by such a multiple: the skew is the same for all.
    const unsigned int top = ${lines} * ${side} + threadIdx.y;
    const unsigned long long start = ${domain.row_start("top") if packed else "(unsigned long long)top * n"};
    const unsigned int skew = start % ${alignment};
//% if each or lists or (uses.j if lines == "row" else uses.i)
    const unsigned int place = ${alignment} - skew + ${neighbours} * threadIdx.x;
//% endif
//% if has_kept
//% for p in each if p.is_kept
    ${p.type} ${p.name}_${columns}[${columns_of_thread}];
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
//% for slot in slots
    ${slot.type} *${slot.name}_line = ${slot.memory} + start - skew + ${columns} * ${side}${own_place(slot)};
//% endfor
//% if packed
//# From the start of row i to that of row i + height are height i + more slots. Slots for 2^28 rows would be 2^55, so
//# that this fits 32 bits.
    unsigned int step = ${height} * top + ${height * (height - 1) // 2 + (height if diagonal else 0)};
//% else
    const unsigned long long step = ${height}ull * n;
//% endif
#pragma unroll ${unroll if is_short else 1}
    for (unsigned int down = 0; down < ${side}; down += ${height}) {
        ${own(lines, above, "threadIdx.y + down")}
        ${groups_begin()}
        ${values("[" ~ neighbours ~ "]")}
#pragma unroll
        for (unsigned int next = 0; next < ${neighbours}; ++next) {
//% if lines == "row"
            ${evaluate(line, column, "@_row, " ~ staged, "[next]", "@_row, " ~ kept)}
            ${append("(" ~ line ~ ")", "(" ~ column ~ ")")}
//% else
            ${evaluate(column, line, staged ~ ", @_col", "[next]", kept ~ ", @_col")}
//% endif
        }
//% for slot in slots
        ${store(slot, slot.name ~ "_line" ~ plus_group)}
//% endfor
        ${groups_end()}
//% for slot in slots
        ${slot.name}_line += step;
//% endfor
//% if packed
        step += ${height * height};
//% endif
    }
//% endmacro

//# A tile on the diagonal, at an end of its lines, or among the last ones: value by value.
//% macro boundary(lines, columns)
//% set above = "_above" if lines == "col" else ""
//% set own_element = "@_" ~ lines
//% set across = "@_" ~ columns ~ "s" ~ above ~ ".at(place)"
//% if packed
    // The diagonal filter: segments end with the last pair ${filter} of their row, and start with the first.
//% elif lines == "row"
    // Segments start with the first column and end with the last. On the diagonal pairs turn around.
//% else
    // Segments end with the last column; beside the diagonal they reach across it.
//% endif
    for (unsigned int down = threadIdx.y; down < ${side} && ${lines} * ${side} + down < ${domain.end}; down += ${height}) {
        const unsigned int line = ${lines} * ${side} + down;
//% if domain.first
        if (line < ${domain.first})
            continue;
//% endif
        const unsigned long long start = ${domain.row_start("line") if packed else "(unsigned long long)line * n"};
        const unsigned int skew = start % ${alignment};
//% if packed
        const unsigned int end = col < row ? (col + 1) * ${side} - skew : line${" + 1" if diagonal else ""};
//% else
        const unsigned int end = (${columns} + 1) * ${side} < n ? (${columns} + 1) * ${side} - skew : n;
//% endif
        ${own(lines, above, "down")}
//% set first = "(col > 0 ? col * " ~ side ~ " - skew : 0)" if lines == "row" else "row * " ~ side ~ " - skew"
        for (unsigned int column = ${first} + threadIdx.x; column < end; column += ${width}) {
//% if each
            const unsigned int place = column + ${alignment} - ${columns} * ${side};
//% endif
            ${values()}
//% if packed
            ${evaluate("line", "column", own_element ~ ", " ~ across)}
            ${append("line", "column")}
//% else
            if (line ${">=" if diagonal else ">"} column) {
                ${evaluate("line", "column", own_element ~ ", " ~ across)}
            } else if (line < column) {
                ${evaluate("column", "line", across ~ ", " ~ own_element)}
//% if not diagonal
            } else {
//% for slot in slots
                ${slot.name}_value = ${slot.name}_diagonal;
//% endfor
//% endif
            }
//% endif
//% for slot in slots
            ${slot.memory}[start + column] = ${slot.name}_value;
//% endfor
        }
    }
//% endmacro

//# The element of the line, which serves all pairs that the thread has of it.
//% macro own(lines, above, place)
//% for p in each
const ${p.type} ${p.name}_${lines} = ${p.name}_${lines}s${above}[${place}];
//% endfor
//% endmacro
