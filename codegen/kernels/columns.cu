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
//% from "parts.cu" import evaluate, outputs, result
//% from "over.cu" import in_new_row, index, over_rows, unrolled

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
    ${row_elements|lines("@.type @_row[THREAD_ROWS];")}
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
    ${column_elements|lines("__shared__ @.type @_cols[TILE];")}
    ${"" if map.walks else row_elements|lines("@.type @_row[THREAD_ROWS];")}
#pragma unroll
    for (unsigned int k = 0; k < WARP_COLUMNS; k += 32) {~
        if (WARP_COLUMNS % 32 == 0 || k + threadIdx.x < WARP_COLUMNS) {~
            ${column_elements|lines("@_cols[start + k + threadIdx.x] = @_all[min(tile_j * TILE + start + k + threadIdx.x, " ~ domain.columns ~ " - 1)];")}
        ~}
    ~}
    ${in_new_row(over_rows(row_elements|lines("@_row[r] = @_all[min(tile_i * TILE + 32 * r + threadIdx.x, " ~ domain.rows ~ " - 1)];")))}
//% if column_elements
    __syncwarp();
//% endif
//% endif
//% endblock

//% block pairs
    ${outputs.begin_tile()}

    ${result.begin_row("[THREAD_ROWS]")}
    if (${domain.interior}) {
//% if lists
        ${interior_lists()}
//% else
        ${interior()}
//% endif
    } else {
        ${boundary()}
    }
    ${outputs.end_tile()}
    ${result.gather_rows()}
//% endblock

//# The pairs of one column, one for each row of the thread. Listed pairs with small values are kept in registers and
//# appended together after the column, so a pair that is not listed costs almost nothing.
//% macro pairs_of_column()
    ${outputs.begin_column()}
    ${column_elements|lines("const @.type @_col = @_cols[start + c];")}
    ${outputs.begin_marks()}
#pragma unroll
    for (unsigned int r = 0; r < THREAD_ROWS; ++r) {
        ${pair()}
    }
    ${outputs.take_marked("tile_i * TILE + 32 * r + threadIdx.x", "tile_j * TILE + start + c")}
    ${outputs.end_column("tile_i * TILE + threadIdx.x", "tile_j * TILE + start + c", "c")}
//% endmacro

//% macro pair()
//% set i = "tile_i * TILE + 32 * r + threadIdx.x"
//% set j = "tile_j * TILE + start + c"
${evaluate(i, j, "@_row[r]", "@_col", row_result="@_row[r]", flag=outputs.flag_of_column)}
${outputs.mark(i, j)}
//% endmacro

//# An append has many instructions, so with lists few columns are unrolled.
//% set at_once = 4 if has_lists or has_wide_sums else 8 if rows > 4 else 16
//% macro interior()
        // An interior tile: every pair is inside the ${domain.area}.
#pragma unroll ${unrolled(at_once)}
        for (unsigned int c = 0; c < WARP_COLUMNS; ++c) {
            ${pairs_of_column()}
        }
//% endmacro

//% macro interior_lists()
        // An interior tile: every pair is inside the ${domain.area}. Pushed pairs are marked in bits, a window of columns at a time.
#pragma unroll 1
        for (unsigned int begin = 0; begin < WARP_COLUMNS; begin += WINDOW) {
            ${outputs.begin_window()}
#pragma unroll${"" if is_short else " 1"}
            for (unsigned int c = begin; c < begin + WINDOW; ++c) {
                ${pairs_of_column()}
            }
            ${outputs.end_window("tile_i * TILE + threadIdx.x", "tile_j * TILE + start + begin")}
        }
//% endmacro

//# A tile on the diagonal or in the last row; in a rectangle also in the last column.
//% macro boundary()
        ${domain.boundary}
//# Registers cannot be indexed at run time.
#pragma unroll
        for (unsigned int r = 0; r < THREAD_ROWS; ++r) {
            const unsigned int i = tile_i * TILE + 32 * r + threadIdx.x;
            const unsigned int stop = ${domain.has_row("i")} ? min(${domain.columns_from("i", "tile_j * TILE")}, start + WARP_COLUMNS) : 0;
#pragma unroll 1
            for (unsigned int c = start; c < stop; ++c) {
                ${index("j", "tile_j * TILE + c", has_lists or uses.j)}
                ${evaluate("i", "j", "@_row[r]", "@_cols[c]", row_result="@_row[r]")}
                ${outputs.append("i", "j")}
                ${outputs.end_step()}
            }
        }
//% endmacro
