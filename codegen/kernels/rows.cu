//# The sweep `rows`: the threads of a block are arranged along the rows of a tile. Each thread has some columns, whose
//# elements it keeps for all of its rows, and whose values it stores together.
//#
//# A row can start at any slot of packed memory. A segment that starts in the middle of a sector ends in the middle of
//# another, and writing parts of sectors costs twice as much. So the segments of a row start at multiples of ALIGNMENT
//# slots, a few columns before the first column of the tile. This distance is the skew. It is the same for all segments of
//# a row. The first segment of a row starts at the row's first slot, and the last segment ends at its last slot.
//#
//# In a square both halves are swept, each along its own rows: the lower half with pairs (row, column), the upper half
//# with pairs (column, row). In a rectangle all rows have the same number of columns. If that is a multiple of ALIGNMENT,
//# the skew is 0.
//#
//# Results of elements, beside slots of a triangle or a rectangle: the threads of a row combine those of the row, and a thread
//# keeps those of its columns for all of its rows. At the boundary each pair adds to the elements.
//#
//# The order of a kernel: helpers, pair function, signature, the map's prologue (kernel.cu); stage and pairs (here);
//# the flush of the sums (kernel.cu). Code that several sweeps share, such as the call of the pair function, is in parts.cu.
//% extends "kernel.cu"
//% from "parts.cu" import evaluate, outputs, result, slot
//% from "over.cu" import index, over, unrolled, within

{% block work %}threads along the rows of a tile${", in both halves of the square" if squares else ""}{% endblock %}

//# A segment of a row can start before the first column of the tile, so those columns are staged too. For the upper half
//# of a square, rows and columns are exchanged.
//% block stage
//% if row_elements or column_elements

//% if squares
    // Stage the elements of the tile's rows and columns, and of ALIGNMENT more before each.
//% elif row_elements and column_elements
    // Stage the elements of the tile's rows and columns, and of ALIGNMENT more columns before the tile.
//% elif row_elements
    // Stage the elements of the tile's rows.
//% else
    // Stage the elements of the tile's columns, and of ALIGNMENT more columns before the tile.
//% endif
{% set above = each if squares else [] %}
    ${row_elements|lines("__shared__ @.type @_rows[TILE];")}
    ${column_elements|lines("__shared__ td_columns<@.type, TILE + ALIGNMENT> @_cols;")}
    ${above|lines("__shared__ @.type @_cols_above[TILE];\n__shared__ td_columns<@.type, TILE + ALIGNMENT> @_rows_above;")}
//% set stage_rows = row_elements|lines("@_rows[k] = @_all[min(tile_i * TILE + k, " ~ domain.rows ~ " - 1)];")
//% set stage_rows_above = above|lines("@_rows_above.put(k, @_all[min(max(tile_i * TILE + k, ALIGNMENT) - ALIGNMENT, n - 1)]);")
//% set stage_columns_above = above|lines("@_cols_above[k] = @_all[min(tile_j * TILE + k, n - 1)];")
//% set stage_columns = column_elements|lines("@_cols.put(k, @_all[min(max(tile_j * TILE + k, ALIGNMENT) - ALIGNMENT, " ~ domain.columns ~ " - 1)]);")
//% if map.walks
    if (${map.is_new_row}) {~
        ${over("TILE", side, stage_rows)}
        ${over("TILE + ALIGNMENT", side + alignment, stage_rows_above)}
    ~}
    ${over("TILE", side, stage_columns_above)}
    ${over("TILE + ALIGNMENT", side + alignment, stage_columns)}
//% else
    ${over("TILE", side, stage_rows ~ stage_columns_above)}
    ${over("TILE + ALIGNMENT", side + alignment, stage_rows_above ~ stage_columns)}
//% endif
    __syncthreads();
//% endif
//% endblock

//% block pairs
${slot.segments()}

//% if squares
    // The half below the diagonal.
    if (${domain.interior_moved}${slot.and_aligned(slots)}) {
        ${interior("row", "col")}
    } else {
        ${boundary("row", "col")}
    }

    // The half above the diagonal: the same tile, along its columns.
    if (${domain.goes_on}) {
//# The tile beside the diagonal reaches across it, and the last tile reaches to n.
        if (${domain.interior_above}${slot.and_aligned(slots)}) {
            ${interior("col", "row")}
        } else {
            ${boundary("col", "row")}
        }
    }
//% else
//% if domain.is_rectangle
    // If the length of a row is a multiple of ALIGNMENT, the skew is 0, so the first and last tile of a row can be interior.
//% endif
    if (${domain.interior_moved}${slot.and_aligned(slots)}) {
        ${interior("row", "col")}
    } else {
        ${boundary("row", "col")}
    }
//% endif
//% endblock

//# The index of a tile along its rows or columns.
//% set tile_of = {"row": "tile_i", "col": "tile_j"}

//# An interior tile, along its `lines`: its rows, or its columns in the half above the diagonal.
//% macro interior(lines, columns)
//% set columns_of_thread = "#pragma unroll\nfor (unsigned int group = 0; group < TILE; group += VECTOR * WIDTH)"
//% set above = "_above" if lines == "col" else ""
//% set kept = "@_" ~ columns ~ "[group / WIDTH + k]"
//% set staged = "@_" ~ columns ~ "s" ~ above ~ ".at(c, group + k)"
//% set line = "top + r"
//% set column = tile_of[columns] ~ " * TILE + c + group + k - ALIGNMENT"
    // An interior tile: every pair is inside the ${domain.area}. Segments start at multiples of ALIGNMENT slots, `skew` columns
    // before the tile. The rows of a thread start a multiple of ALIGNMENT slots apart, so they have the same skew.
    const unsigned int top = ${tile_of[lines]} * TILE + threadIdx.y;
    const unsigned long long start = ${"(unsigned long long)top * n" if squares else domain.row_start("top")};
    const unsigned int skew = start % ALIGNMENT;
//% if column_elements or column_results or has_lists or (uses.j if lines == "row" else uses.i)
    const unsigned int c = ALIGNMENT - skew + VECTOR * threadIdx.x;
//% endif
    ${column_elements|only("is_kept")|lines("@.type @_" ~ columns ~ "[THREAD_COLUMNS];")}
    ${within(columns_of_thread, within("#pragma unroll\nfor (unsigned int k = 0; k < VECTOR; ++k)", column_elements|only("is_kept")|lines(kept ~ " = " ~ staged ~ ";")))}
    ${result.begin_column("[THREAD_COLUMNS]")}
    ${slots|lines("@.type *@_line = @.memory + start - skew + " ~ tile_of[columns] ~ " * TILE@.own_offset;")}
//# Without a range of rows a step fits into 32 bits, because 2^27 rows would have 2^53 slots. A range can begin at any row,
//# so its step has 64 bits.
//% set wide = "unsigned long long" if domain.first else "unsigned int"
//% if packed
    ${wide} step = ${"(" ~ wide ~ ")" if domain.first else ""}HEIGHT * top + HEIGHT * (HEIGHT ${"+" if diagonal else "-"} 1) / 2; // from a row of the thread to its next row
//% else
    const unsigned long long step = (unsigned long long)HEIGHT * ${domain.columns}; // from a row of the thread to its next row
//% endif
#pragma unroll ${unrolled(unroll)}
    for (unsigned int r = 0; r < TILE; r += HEIGHT) {
        ${element_of_line(lines, above, "threadIdx.y + r")}
        ${result.begin_row()}
#pragma unroll
        for (unsigned int group = 0; group < TILE; group += VECTOR * WIDTH) {
            ${slot.begin_pair("[VECTOR]")}
#pragma unroll
            for (unsigned int k = 0; k < VECTOR; ++k) {
//% if lines == "row"
                ${evaluate(line, column, "@_row", staged, "[k]", kept_column=kept, column_result="@_col[group / WIDTH + k]", is_interior=true)}
                ${outputs.append("(" ~ line ~ ")", "(" ~ column ~ ")")}
//% else
                ${evaluate(column, line, staged, "@_col", "[k]", kept_row=kept)}
//% endif
            }
//# The vector store.
            ${slot.store(slots, "@_line + group")}
        }
//% if row_results
        const unsigned int i = ${line};
        ${result.gather_lanes("WIDTH", "threadIdx.x")}
//% endif
        ${slots|lines("@_line += step;")}
//% if packed
        step += HEIGHT * HEIGHT; // the next step is longer by this many slots
//% endif
    }
{% set added = result.gather(column_results, "@_col[group / WIDTH + k]", "j", domain.columns) %}
{% set added = (index("j", column) ~ added) if column_results else "" %}
    ${within(columns_of_thread, within("#pragma unroll\nfor (unsigned int k = 0; k < VECTOR; ++k)", added))|under("// Add the results of the thread's columns to the results of the elements.")}
//% endmacro

//# A tile on the diagonal, at an end of its lines, or among the last lines: values are stored one by one.
//% macro boundary(lines, columns)
//% set above = "_above" if lines == "col" else ""
//% set line_element = "@_" ~ lines
//# Above the diagonal all lines are inside the triangle.
//% set is_above = lines == "col"
//% set column_element = "@_" ~ columns ~ "s" ~ above ~ ".at(c)"
//% if packed
    // A boundary tile, with the diagonal filter: the first segment of a row starts at column 0, the last one ends with the last
    // pair ${domain.filter}.
//% elif not squares
    // A boundary tile: the first segment of a row starts at column 0, the last one ends with the row.
//% elif lines == "row"
    // A boundary tile: the first segment of a row starts at column 0, the last one ends at n. Above the diagonal a pair is
    // (column, line).
//% else
    // A boundary tile: the last segment of a row ends at n. Beside the diagonal, the skew moves segments across it.
//% endif
    for (unsigned int r = threadIdx.y; r < TILE${"" if is_above else " && tile_i * TILE + r < " ~ domain.end}; r += HEIGHT) {
        const unsigned int line = ${tile_of[lines]} * TILE + r;
//% if domain.first
        if (line < ${domain.first})
            continue;
//% endif
        const unsigned long long start = ${"(unsigned long long)line * n" if squares else domain.row_start("line")};
        const unsigned int skew = start % ALIGNMENT;
//% if not squares
        const unsigned int stop = ${domain.goes_on} ? (tile_j + 1) * TILE - skew : ${domain.columns_end("line")};
//% else
        const unsigned int stop = (${tile_of[columns]} + 1) * TILE < n ? (${tile_of[columns]} + 1) * TILE - skew : n;
//% endif
        ${element_of_line(lines, above, "r")}
        ${result.begin_row()}
//% set first = "(tile_j > 0 ? tile_j * TILE - skew : 0)" if lines == "row" else "tile_i * TILE - skew"
        for (unsigned int column = ${first} + threadIdx.x; column < stop; column += WIDTH) {
//% if column_elements
            const unsigned int c = column + ALIGNMENT - ${tile_of[columns]} * TILE;
//% endif
            ${slot.begin_pair()}
            ${result.begin_column()}
//% if not squares
            ${evaluate("line", "column", line_element, column_element)}
            ${outputs.append("line", "column")}
            ${result.gather(column_results, "@_col", "column", domain.columns)}
//% else
//# The diagonal filter of a square. The larger index of a pair comes first.
            if (${domain.is_pair("line", "column")}) {
                ${evaluate("line", "column", line_element, column_element)}
            } else if (line < column) {
                ${evaluate("column", "line", column_element, line_element)}
//% if not diagonal
            } else {
                ${slots|lines("@.value = @_diagonal;")}
//% endif
            }
//% endif
            ${slots|lines("@.memory[start + column] = @.value;")}
        }
        ${result.gather(row_results, "@_row", "line", domain.rows)}
    }
//% endmacro

//# The element of the line, which serves all of the thread's pairs in that line.
//% macro element_of_line(lines, above, r)
${row_elements|lines("const @.type @_" ~ lines ~ " = @_" ~ lines ~ "s" ~ above ~ "[" ~ r ~ "];")}
//% endmacro
