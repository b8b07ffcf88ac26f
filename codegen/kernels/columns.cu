//# The sweep over columns: each thread keeps some rows of a tile in registers. All threads of a warp go along the
//# columns together; one read of shared memory serves the whole warp.
//#
//# One thread has many pairs, so that starting blocks and adding up sums costs little, and one read of a column's
//# element serves a pair of each row. Packed slots are not for this sweep: at one time its threads have the pairs of
//# one column, whose slots lie in different rows.
//#
//# Four warps share a block and its tile, each with all rows and a quarter of the columns; where the side of a tile is no
//# multiple of 64, a block is one warp.
//#
//# The order of a kernel: helpers, pair function, signature, the map's prologue (kernel.cu); stage and pairs (here);
//# the flush of the sums (kernel.cu). What several sweeps share, such as the call of the pair function: parts.cu.
//% extends "kernel.cu"
//% from "parts.cu" import append, append_valued, evaluate, gather_rows, over_rows

//# A thread's row among its own, and a column of the tile among those of the warp.
//% set own = "[r]" if rows > 1 else ""
//% set start = "start + " if has_warps else ""
//# Pairs for a list are noted for a window of columns at a time: one column for each bit of a word, or fewer where a
//# thread has many rows, because the loop over a window is unrolled. A single window has no loop around it.
//% set window = 16 if rows > 4 else 32
//% set window = window if window < columns_of_warp else columns_of_warp
//% set has_windows = window < columns_of_warp
//# `tile_sums` are counted or added up for a tile, or for a few columns of it, before they go to a thread's sums.

{% block work %}each thread ${"a row" if rows == 1 else rows ~ " rows"} of a tile{% endblock %}

//% block indices
//% if has_warps

    // Each of the four warps has ${columns_of_warp} columns of the tile.
    const unsigned int start = ${columns_of_warp} * threadIdx.y;
//% endif
//% endblock

//# The elements of the thread's rows, declared where they outlast a tile.
//% block kept
//% for p in row_elements
    ${p.type} ${p.name}_row${"[" ~ rows ~ "]" if rows > 1 else ""};
//% endfor
//% endblock

//# The columns' elements go to shared memory; the rows' elements stay with their threads. Past the last element the
//# last one is read instead, and has no pairs.
//% block stage
//% if row_elements or column_elements

//% set own_rows_phrase = "row" if rows == 1 else rows ~ " rows"
//% if column_elements
    // Stage the elements of the ${"warp" if has_warps else "tile"}'s columns${"; each thread keeps those of its " ~ own_rows_phrase if row_elements else ""}.
//% else
    // Each thread keeps the elements of its ${own_rows_phrase}.
//% endif
//% for p in column_elements
    __shared__ ${p.type} ${p.name}_cols[${side}];
//% endfor
//% for p in row_elements if rows > 1 and not map.walks
    ${p.type} ${p.name}_row[${rows}];
//% endfor
//% set own_row = "threadIdx.x" if rows == 1 else "32 * r + threadIdx.x"
//% if not has_warps
//% set staged_column = own_row
//% elif columns_of_warp <= 32
//% set staged_column = "start + threadIdx.x"
//% else
//% set staged_column = "start + k + threadIdx.x"
//% endif
//% set columns
//% for p in column_elements
        ${p.name}_cols[${staged_column}] = ${p.name}_all[min(col * ${side} + ${staged_column}, ${domain.columns} - 1)];
//% endfor
//% endset
//% set own_rows
//% for p in row_elements
        ${"const " ~ p.type ~ " " if rows == 1 and not map.walks else ""}${p.name}_row${own} = ${p.name}_all[min(row * ${side} + ${own_row}, ${domain.rows} - 1)];
//% endfor
//% endset
//% if has_warps and columns
//% if columns_of_warp < 32
    if (threadIdx.x < ${columns_of_warp}) {~
        ${columns}
    ~}
//% elif columns_of_warp == 32
    ${columns}
//% else
#pragma unroll
    for (unsigned int k = 0; k < ${columns_of_warp}; k += 32)
//% if columns_of_warp % 32 == 0
        {~
            ${columns}
        ~}
//% else
        if (k + threadIdx.x < ${columns_of_warp}) {~
            ${columns}
        ~}
//% endif
//% endif
//% set columns = ""
//% endif
//% if map.walks
    ${over_rows(columns)}
    if (${map.is_new_row}) {~
        ${over_rows(own_rows)}
    ~}
//% else
    ${over_rows(columns ~ own_rows)}
//% endif
//% if column_elements
    __sync${"warp" if has_warps else "threads"}();
//% endif
//% endif
//% endblock

//% block pairs
//% if tile_sums

//% for sum in tile_sums
    ${sum.added_type} ${sum.added};
//% endfor
//% endif

//% for result in row_results
    ${result.part} ${result.name}_row${own if rows == 1 else "[" ~ rows ~ "]"};
//% endfor
    if (${domain.interior}) {
//% if lists
        ${interior_lists()}
//% else
        ${interior()}
//% endif
    } else {
        ${boundary()}
    }
//% for sum in tile_sums if sum.is_tally
    ${sum.name}_sum += ${sum.name}_tally.value;
//% endfor
    ${gather_rows()}
//% endblock

//# The pairs of one column, one for each row of the thread; the column's elements serve all of them. Pairs with small
//# values wait in registers for a common append of the column, which costs a pair that is not listed next to nothing.
//% macro pairs_of_column()
//% for list in valued_lists if list.is_small
    td_found_of<${list.type}, ${rows}> ${list.name}_found;
//% endfor
//% if rows > 1
//% for p in column_elements
    const ${p.type} ${p.name}_col = ${p.name}_cols[${start}c];
//% endfor
//% if nearest
    // Few pairs are for queues: whether there is one of this column's, and only then, which.
    bool found = false;
//% endif
#pragma unroll
    for (unsigned int r = 0; r < ${rows}; ++r) {
        ${pair("@_row[r]", "@_col", "found" if nearest else "")}
    }
//% if nearest
    if (found) {
        // The elements are read again: registers cannot be indexed at run time, and this code stands here once for a column.
#pragma unroll 1
        for (unsigned int r = 0; r < ${rows}; ++r) {
            const unsigned int i = row * ${side} + 32 * r + threadIdx.x, j = col * ${side} + ${start}c;
            ${evaluate("i", "j", "@_all[i]", "@_all[j]")}
        }
    }
//% endif
//% else
    ${pair("@_row", "@_cols[" ~ start ~ "c]")}
//% endif
//% for list in valued_lists if list.is_small
    td_append_of(${list.name}_pairs, ${list.name}_found, row * ${side} + threadIdx.x, 32, col * ${side} + ${start}c);
//% endfor
//# The partial sums, added to the threads' sums after every `most` columns.
//% for sum in tile_sums if not sum.is_tally
//% if sum.most > 1
    if (c % ${sum.most} == ${sum.most - 1})
//% endif
        ${sum.name}_sum += ${sum.name}_partial.taken();
//% endfor
//% endmacro

//% macro pair(row, column, found="")
//% set i = "row * " ~ side ~ (" + 32 * r" if rows > 1 else "") ~ " + threadIdx.x"
//% set j = "col * " ~ side ~ " + " ~ start ~ "c"
${evaluate(i, j, row, column, row_result="@_row" ~ own, found=found)}
//% for list in lists
if (${list.name}_pushed.value)
${list.name}_found[${"r" if rows > 1 else 0}] |= 1u << ${"(c - begin)" if has_windows else "c"};
//% endfor
//% for list in valued_lists
//% if list.is_small
${list.name}_found.note(${"r" if rows > 1 else 0}, ${list.name}_pushed);
//% else
${append_valued(list, i, j)}
//% endif
//% endfor
//% endmacro

//# An append has many instructions: with lists, few columns are unrolled.
//% set unrolled = 4 if has_lists else 8 if rows > 4 else 16
//% macro interior()
        // An interior tile: every pair is inside the ${domain.area}.
#pragma unroll ${unrolled if is_short else 1}
        for (unsigned int c = 0; c < ${columns_of_warp}; ++c) {
            ${pairs_of_column()}
        }
//% endmacro

//# Pushing each pair at once would make the threads of a warp diverge: pairs are noted in bits, and appended together
//# for a window of columns.
//% macro interior_lists()
        // An interior tile: every pair is inside the ${domain.area}. Those found are noted in bits, ${window} columns at a time.
//% if has_windows
#pragma unroll 1
        for (unsigned int begin = 0; begin < ${columns_of_warp}; begin += ${window}) {
//% endif
//% for list in lists
            unsigned int ${list.name}_found[${rows}] = {};
//% endfor
#pragma unroll${"" if is_short else " 1"}
            for (unsigned int c = ${"begin" if has_windows else 0}; c < ${"begin + " if has_windows else ""}${window}; ++c) {
                ${pairs_of_column()}
            }
//% for list in lists
            td_append(${list.name}_pairs, ${list.name}_found, row * ${side} + threadIdx.x, 32, col * ${side}${" + start" if has_warps else ""}${" + begin" if has_windows else ""});
//% endfor
//% if has_windows
        }
//% endif
//% endmacro

//# A tile on the diagonal, or of the last row; of a rectangle also of the last column.
//% macro boundary()
//% if domain.is_rectangle
        // A boundary tile: the rows and columns that are inside the rectangle.
//% else
        // A boundary tile, with the diagonal filter: in each row the columns of pairs ${domain.filter}, inside the triangle.
//% endif
//% if rows > 1
//# Registers cannot be indexed at run time.
#pragma unroll
        for (unsigned int r = 0; r < ${rows}; ++r) {
//% endif
            const unsigned int i = row * ${side}${" + 32 * r" if rows > 1 else ""} + threadIdx.x;
            const unsigned int stop = ${domain.has_row("i")} ? min(${domain.columns_from("i", "col * " ~ side)}, ${"start + " ~ columns_of_warp if has_warps else side ~ "u"}) : 0;
#pragma unroll 1
            for (unsigned int c = ${"start" if has_warps else 0}; c < stop; ++c) {
//% if has_lists or uses.j
                const unsigned int j = col * ${side} + c;
//% endif
                ${evaluate("i", "j", "@_row" ~ own, "@_cols[c]", row_result="@_row" ~ own)}
                ${append("i", "j")}
//% for sum in tile_sums if not sum.is_tally
                ${sum.name}_sum += ${sum.name}_partial.taken();
//% endfor
            }
//% if rows > 1
        }
//% endif
//% endmacro
