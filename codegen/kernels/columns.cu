//# The sweep `columns`: each thread keeps some rows of a tile in registers. All threads of a warp visit the same column at a
//# time, so one read of shared memory serves the whole warp.
//#
//# A thread has many pairs, so starting blocks and adding up sums costs little, and one read of a column's element serves
//# a pair of each row. This sweep does not support packed slots: its threads have the pairs of one column at a time, whose
//# slots are in different rows.
//#
//# Four warps share a block and its tile, each with all rows and a quarter of the columns. If the side of the tile is not a
//# multiple of 64, a block is one warp.
//#
//# The order of a kernel: helpers, pair function, signature, the map's prologue (kernel.cu); stage and pairs (here);
//# the flush of the sums (kernel.cu). Code that several sweeps share, such as the call of the pair function, is in parts.cu.
//% extends "kernel.cu"
//% from "parts.cu" import append, append_valued, evaluate, gather_rows, over_rows

//# Pairs for a list are marked for a window of columns at a time: one column for each bit of a word, or fewer columns if a
//# thread has many rows, because the loop over a window is unrolled.
//# `tile_sums` are counted or added up for a tile, or for a few columns of it, before they are added to a thread's sums.

{% block work %}each thread ${"a row" if rows == 1 else rows ~ " rows"} of a tile{% endblock %}

//% block indices

    // Each warp has WARP_COLUMNS columns of the tile.
    const unsigned int start = WARP_COLUMNS * threadIdx.y;
//% endblock

//# The elements of the thread's rows. They are declared here if they are kept for several tiles.
//% block kept
//% for p in row_elements
    ${p.type} ${p.name}_row[THREAD_ROWS];
//% endfor
//% endblock

//# The elements of columns are staged in shared memory; those of rows stay in registers. Reads past the last element are
//# clamped to it; these copies do not have pairs.
//% block stage
//% if row_elements or column_elements

//% if column_elements
    // Stage the elements of the warp's columns${"; each thread keeps those of its rows" if row_elements else ""}.
//% else
    // Each thread keeps the elements of its rows.
//% endif
//% for p in column_elements
    __shared__ ${p.type} ${p.name}_cols[TILE];
//% endfor
//% for p in row_elements if not map.walks
    ${p.type} ${p.name}_row[THREAD_ROWS];
//% endfor
//% set columns
//% for p in column_elements
        ${p.name}_cols[start + k + threadIdx.x] = ${p.name}_all[min(tile_j * TILE + start + k + threadIdx.x, ${domain.columns} - 1)];
//% endfor
//% endset
//% set own_rows
//% for p in row_elements
        ${p.name}_row[r] = ${p.name}_all[min(tile_i * TILE + 32 * r + threadIdx.x, ${domain.rows} - 1)];
//% endfor
//% endset
//% if columns
#pragma unroll
    for (unsigned int k = 0; k < WARP_COLUMNS; k += 32) {~
        if (WARP_COLUMNS % 32 == 0 || k + threadIdx.x < WARP_COLUMNS) {~
            ${columns}
        ~}
    ~}
//% endif
//% if map.walks
    if (${map.is_new_row}) {~
        ${over_rows(own_rows)}
    ~}
//% else
    ${over_rows(own_rows)}
//% endif
//% if column_elements
    __syncwarp();
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
    ${result.part} ${result.name}_row[THREAD_ROWS];
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

//# The pairs of one column, one for each row of the thread. Listed pairs with small values are kept in registers and
//# appended together after the column, so a pair that is not listed costs almost nothing.
//% macro pairs_of_column()
//% for list in valued_lists if list.is_small
    td_valued_marks<${list.type}, THREAD_ROWS> ${list.name}_marks;
//% endfor
//% for p in column_elements
    const ${p.type} ${p.name}_col = ${p.name}_cols[start + c];
//% endfor
//% if nearest or extremes
    // Few pairs ${"go to queues" if nearest else "are better than the best"}. Test whether any pair of this column ${"does" if nearest else "is"}, and only then which ones.
    bool any = false;
//% for list in nearest
    ${list.pushed} ${list.name}_pushes[THREAD_ROWS];
//% endfor
//% for extreme in extremes
    ${extreme.offered} ${extreme.name}_offers[THREAD_ROWS];
//% endfor
//% endif
#pragma unroll
    for (unsigned int r = 0; r < THREAD_ROWS; ++r) {
        ${pair()}
    }
//% if nearest or extremes
    if (any) {
#pragma unroll
        for (unsigned int r = 0; r < THREAD_ROWS; ++r) {
//% for list in nearest
            if (${list.name}_pushes[r].is_within(${list.name}_row[r]${", " ~ list.name ~ "_col" if list.has_column else ""}))
                ${list.name}_queues.${"put_each" if list.has_column else "put"}(¶tile_i * TILE + 32 * r + threadIdx.x,¶tile_j * TILE + start + c,¶${list.name}_pushes[r].value);
//% endfor
//% for extreme in extremes
            if (${extreme.name}_offers[r].is_for(${extreme.name}_best))
                ${extreme.name}_best.take(¶${extreme.name}_offers[r].value,¶${"set,¶" if extreme.in_sets else ""}tile_i * TILE + 32 * r + threadIdx.x,¶tile_j * TILE + start + c);
//% endfor
        }
    }
//% endif
//% for list in valued_lists if list.is_small
    td_append_valued(${list.name}_pairs, ${list.name}_marks, tile_i * TILE + threadIdx.x, 32, tile_j * TILE + start + c);
//% endfor
//# Adds the partial sums to the threads' sums after every `most` columns.
//% for sum in tile_sums if not sum.is_tally
//% if sum.most > 1
    if (c % ${sum.most} == ${sum.most - 1})
//% endif
        ${sum.name}_sum += ${sum.name}_partial.take();
//% endfor
//% endmacro

//% macro pair()
//% set i = "tile_i * TILE + 32 * r + threadIdx.x"
//% set j = "tile_j * TILE + start + c"
${evaluate(i, j, "@_row[r]", "@_col", row_result="@_row[r]", flag="any" if nearest or extremes else "")}
//% for list in nearest
${list.name}_pushes[r] = ${list.name}_pushed;
//% endfor
//% for extreme in extremes
${extreme.name}_offers[r] = ${extreme.name}_offered;
//% endfor
//% for list in lists
if (${list.name}_pushed.value)
${list.name}_marks[r] |= 1u << (c - begin);
//% endfor
//% for list in valued_lists
//% if list.is_small
${list.name}_marks.mark(r, ${list.name}_pushed);
//% else
${append_valued(list, i, j)}
//% endif
//% endfor
//% endmacro

//# An append has many instructions, so with lists few columns are unrolled.
//% set unrolled = 4 if has_lists or has_wide_sums else 8 if rows > 4 else 16
//% macro interior()
        // An interior tile: every pair is inside the ${domain.area}.
#pragma unroll ${unrolled if is_short else 1}
        for (unsigned int c = 0; c < WARP_COLUMNS; ++c) {
            ${pairs_of_column()}
        }
//% endmacro

//# Appending each pair immediately would make the threads of a warp diverge. So pushed pairs are marked in bits, and
//# appended together for a window of columns.
//% macro interior_lists()
        // An interior tile: every pair is inside the ${domain.area}. Pushed pairs are marked in bits, a window of columns at a time.
#pragma unroll 1
        for (unsigned int begin = 0; begin < WARP_COLUMNS; begin += WINDOW) {
//% for list in lists
            unsigned int ${list.name}_marks[THREAD_ROWS] = {};
//% endfor
#pragma unroll${"" if is_short else " 1"}
            for (unsigned int c = begin; c < begin + WINDOW; ++c) {
                ${pairs_of_column()}
            }
//% for list in lists
            td_append(${list.name}_pairs, ${list.name}_marks, tile_i * TILE + threadIdx.x, 32, tile_j * TILE + start + begin);
//% endfor
        }
//% endmacro

//# A tile on the diagonal or in the last row; in a rectangle also in the last column.
//% macro boundary()
//% if domain.is_rectangle
        // A boundary tile: only the rows and columns inside the rectangle.
//% else
        // A boundary tile, with the diagonal filter: in each row only the columns of pairs ${domain.filter} inside the triangle.
//% endif
//# Registers cannot be indexed at run time.
#pragma unroll
        for (unsigned int r = 0; r < THREAD_ROWS; ++r) {
            const unsigned int i = tile_i * TILE + 32 * r + threadIdx.x;
            const unsigned int stop = ${domain.has_row("i")} ? min(${domain.columns_from("i", "tile_j * TILE")}, start + WARP_COLUMNS) : 0;
#pragma unroll 1
            for (unsigned int c = start; c < stop; ++c) {
//% if has_lists or uses.j
                const unsigned int j = tile_j * TILE + c;
//% endif
                ${evaluate("i", "j", "@_row[r]", "@_cols[c]", row_result="@_row[r]")}
                ${append("i", "j")}
//% for sum in tile_sums if not sum.is_tally
                ${sum.name}_sum += ${sum.name}_partial.take();
//% endfor
            }
        }
//% endmacro
