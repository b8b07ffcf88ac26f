//# The sweep over rows: threads lie along the rows of a tile. Each has some columns, whose elements it keeps for all of
//# its rows, and whose values it stores together.
//#
//# A row starts anywhere in packed memory, and a segment of it that starts in the middle of a sector ends in the middle
//# of another: writing parts of sectors costs twice. So the segments of a row start at multiples of a few slots, a few
//# columns before the tile's own first column. That distance is the skew, and it is the same for all segments of a row.
//# The first tile of a row starts at its first slot, the last one ends at its last.
//#
//# Of a square both halves are swept, each along its own rows: the lower half with pairs (row, column), the upper half
//# with pairs (column, row). Of a rectangle all rows have the same columns, and where their number is a multiple of those
//# few slots, no segment is moved.
//#
//# The order of a kernel: helpers, pair function, signature, the map's prologue (kernel.cu); stage and pairs (here);
//# the flush of the sums (kernel.cu). What several sweeps share, such as the call of the pair function: parts.cu.
//% extends "kernel.cu"
//% from "parts.cu" import and_aligned, append, evaluate, groups_begin, groups_end, over, own_offset, segments, store, values

{% block work %}threads along the rows of a tile${", in both halves of the square" if squares else ""}{% endblock %}

//# A segment of a row starts some columns before the tile's own, so those columns are staged too. For the upper half of
//# a square, rows and columns are exchanged.
//% block stage
//% if row_elements or column_elements

//% if squares
    // Stage the elements of the tile's rows and columns, both also with the ${alignment} before them.
//% elif row_elements and column_elements
    // Stage the elements of the tile's rows, and of its columns with the ${alignment} before them.
//% elif row_elements
    // Stage the elements of the tile's rows.
//% else
    // Stage the elements of the tile's columns, with the ${alignment} before them.
//% endif
//% for p in row_elements
    __shared__ ${p.type} ${p.name}_rows[${side}];
//% endfor
//% for p in column_elements
    __shared__ td_columns<${p.type}, ${side + alignment}> ${p.name}_cols;
//% if squares
    __shared__ ${p.type} ${p.name}_cols_above[${side}];
    __shared__ td_columns<${p.type}, ${side + alignment}> ${p.name}_rows_above;
//% endif
//% endfor
//% set stage_rows
//% for p in row_elements
        ${p.name}_rows[k] = ${p.name}_all[min(row * ${side} + k, ${domain.rows} - 1)];
//% endfor
//% endset
//% set stage_rows_above
//% for p in each if squares
        ${p.name}_rows_above.put(k, ${p.name}_all[min(max(row * ${side} + k, ${alignment}u) - ${alignment}, n - 1)]);
//% endfor
//% endset
//% set stage_columns_above
//% for p in each if squares
        ${p.name}_cols_above[k] = ${p.name}_all[min(col * ${side} + k, n - 1)];
//% endfor
//% endset
//% set stage_columns
//% for p in column_elements
        ${p.name}_cols.put(k, ${p.name}_all[min(max(col * ${side} + k, ${alignment}u) - ${alignment}, ${domain.columns} - 1)]);
//% endfor
//% endset
//% if map.walks
    if (${map.is_new_row}) {~
        ${over(side, stage_rows)}
        ${over(side + alignment, stage_rows_above)}
    ~}
    ${over(side, stage_columns_above)}
    ${over(side + alignment, stage_columns)}
//% else
    ${over(side, stage_rows ~ stage_columns_above)}
    ${over(side + alignment, stage_rows_above ~ stage_columns)}
//% endif
    __syncthreads();
//% endif
//% endblock

//% block pairs
${segments()}

//% if squares
    // The half below the diagonal.
    if (${domain.interior_moved}${and_aligned()}) {
        ${interior("row", "col")}
    } else {
        ${boundary("row", "col")}
    }

    // The half above it: the same tile, by its columns.
    if (${domain.goes_on}) {
//# The tile beside the diagonal reaches across it, and the last one on to n.
        if (${domain.interior_above}${and_aligned()}) {
            ${interior("col", "row")}
        } else {
            ${boundary("col", "row")}
        }
    }
//% else
//% if domain.is_rectangle
    // Where rows are multiples of ${alignment} slots, none has a skew, so that the first and the last tile of a row can be interior.
//% endif
    if (${domain.interior_moved}${and_aligned()}) {
        ${interior("row", "col")}
    } else {
        ${boundary("row", "col")}
    }
//% endif
//% endblock

//# An interior tile, along its `lines`: its rows, or its columns in the half above the diagonal.
//% macro interior(lines, columns)
//% set above = "_above" if lines == "col" else ""
//% set next = "group + k" if has_groups else "k"
//% set kept = "@_" ~ columns ~ "[" ~ ("group / " ~ width ~ " + k" if has_groups else "k") ~ "]"
//% set staged = "@_" ~ columns ~ "s" ~ above ~ ".at(c, " ~ next ~ ")"
//% set plus_group = " + group" if has_groups else ""
//# A tile as high as the block has one row for each thread.
//% set has_rows = height < side
//% set line = "top + r" if has_rows else "top"
//% set column = columns ~ " * " ~ side ~ " + c" ~ plus_group ~ " + k - " ~ alignment
    // An interior tile: every pair is inside the ${domain.area}, and segments start at multiples of ${alignment} slots, by the skew
    // before the tile's own first column.${" Rows of one thread start such a multiple apart, so they have the same skew." if height < side else ""}
    const unsigned int top = ${lines} * ${side} + threadIdx.y;
    const unsigned long long start = ${"(unsigned long long)top * n" if squares else domain.row_start("top")};
    const unsigned int skew = start % ${alignment};
//% if column_elements or has_lists or (uses.j if lines == "row" else uses.i)
    const unsigned int c = ${alignment} - skew + ${neighbours} * threadIdx.x;
//% endif
//% if has_kept
//% for p in column_elements if p.is_kept
    ${p.type} ${p.name}_${columns}[${columns_of_thread}];
//% endfor
    ${groups_begin()}
#pragma unroll
    for (unsigned int k = 0; k < ${neighbours}; ++k) {~
//% for p in column_elements if p.is_kept
        ${kept|replace("@", p.name)} = ${staged|replace("@", p.name)};
//% endfor
    ~}
    ${groups_end()}
//% endif
//% for slot in slots
    ${slot.type} *${slot.name}_line = ${slot.memory} + start - skew + ${columns} * ${side}${own_offset(slot)};
//% endfor
//# Without a range of rows a step fits 32 bits: 2^27 rows would have 2^53 slots. A range can begin anywhere, so its step
//# has 64.
//% if has_rows and packed
//% set more = height * (height - 1) // 2 + (height if diagonal else 0)
    ${"unsigned long long" if domain.first else "unsigned int"} step = ${height}${"ull" if domain.first else ""} * top + ${more}; // start(i + ${height}) - start(i) = ${height} i + ${more}
//% elif has_rows
    const unsigned long long step = ${height}ull * ${domain.columns}; // start(i + ${height}) - start(i)
//% endif
//% if has_rows
#pragma unroll ${unroll if is_short else 1}
    for (unsigned int r = 0; r < ${side}; r += ${height}) {
//% endif
        ${own(lines, above, "threadIdx.y + r" if has_rows else "threadIdx.y")}
        ${groups_begin()}
        ${values("[" ~ neighbours ~ "]")}
#pragma unroll
        for (unsigned int k = 0; k < ${neighbours}; ++k) {
//% if lines == "row"
            ${evaluate(line, column, "@_row", staged, "[k]", kept_column=kept)}
            ${append("(" ~ line ~ ")", "(" ~ column ~ ")")}
//% else
            ${evaluate(column, line, staged, "@_col", "[k]", kept_row=kept)}
//% endif
        }
//# The vector store.
//% for slot in slots
        ${store(slot, slot.name ~ "_line" ~ plus_group)}
//% endfor
        ${groups_end()}
//% if has_rows
//% for slot in slots
        ${slot.name}_line += step;
//% endfor
//% if packed
        step += ${height * height}; // for an i larger by ${height}
//% endif
    }
//% endif
//% endmacro

//# A tile on the diagonal, at an end of its lines, or among the last ones: values are stored one by one.
//% macro boundary(lines, columns)
//% set above = "_above" if lines == "col" else ""
//% set own_element = "@_" ~ lines
//# A tile as high as the block has one line for each thread. Above the diagonal all lines are inside the triangle.
//% set has_rows = height < side
//% set is_above = lines == "col"
//% set across = "@_" ~ columns ~ "s" ~ above ~ ".at(c)"
//% if packed
    // A boundary tile, with the diagonal filter: a row's first segment starts at column 0, its last one ends with the last
    // pair ${domain.filter}.
//% elif not squares
    // A boundary tile: a row's first segment starts at column 0, its last one ends with the row.
//% elif lines == "row"
    // A boundary tile: a row's first segment starts at column 0, its last one ends at n. Above the diagonal a pair is
    // (column, line).
//% else
    // A boundary tile: a row's last segment ends at n. Beside the diagonal, the skew moves segments across it.
//% endif
//% if has_rows
    for (unsigned int r = threadIdx.y; r < ${side}${"" if is_above else " && row * " ~ side ~ " + r < " ~ domain.end}; r += ${height}) {
        const unsigned int line = ${lines} * ${side} + r;
//% if domain.first
        if (line < ${domain.first})
            continue;
//% endif
//% elif is_above
    {
        const unsigned int line = col * ${side} + threadIdx.y;
//% else
    if (const unsigned int line = row * ${side} + threadIdx.y; ${domain.has_row("line")}) {
//% endif
        const unsigned long long start = ${"(unsigned long long)line * n" if squares else domain.row_start("line")};
        const unsigned int skew = start % ${alignment};
//% if not squares
        const unsigned int stop = ${domain.goes_on} ? (col + 1) * ${side} - skew : ${domain.columns_end("line")};
//% else
        const unsigned int stop = (${columns} + 1) * ${side} < n ? (${columns} + 1) * ${side} - skew : n;
//% endif
        ${own(lines, above, "r" if has_rows else "threadIdx.y")}
//% set first = "(col > 0 ? col * " ~ side ~ " - skew : 0)" if lines == "row" else "row * " ~ side ~ " - skew"
        for (unsigned int column = ${first} + threadIdx.x; column < stop; column += ${width}) {
//% if column_elements
            const unsigned int c = column + ${alignment} - ${columns} * ${side};
//% endif
            ${values()}
//% if not squares
            ${evaluate("line", "column", own_element, across)}
            ${append("line", "column")}
//% else
//# The diagonal filter of a square, in which a pair has its larger index first.
            if (${domain.is_pair("line", "column")}) {
                ${evaluate("line", "column", own_element, across)}
            } else if (line < column) {
                ${evaluate("column", "line", across, own_element)}
//% if not diagonal
            } else {
//% for slot in slots
                ${slot.value} = ${slot.name}_diagonal;
//% endfor
//% endif
            }
//% endif
//% for slot in slots
            ${slot.memory}[start + column] = ${slot.value};
//% endfor
        }
    }
//% endmacro

//# The element of the line, which serves all of the thread's pairs in that line.
//% macro own(lines, above, r)
//% for p in row_elements
const ${p.type} ${p.name}_${lines} = ${p.name}_${lines}s${above}[${r}];
//% endfor
//% endmacro
