//# The sweep `rotate`: each thread keeps some rows of a tile and their results in registers. The columns rotate among the threads
//# of a warp: at each step every thread has another column, and then passes that column's results to the thread that has the column
//# next. So each pair is computed once for both of its elements, and a tile adds to an element's cell once.
//#
//# Four warps share a block and its tile, each with all rows and a quarter of the columns. If the side of the tile is not a
//# multiple of 64, a block is one warp.
//#
//# The order of a kernel: helpers, pair function, signature, the map's prologue (kernel.cu); stage and pairs (here);
//# the flush of the sums (kernel.cu). Code that several sweeps share, such as the call of the pair function, is in parts.cu.
//% extends "kernel.cu"
//% from "parts.cu" import evaluate, outputs, result
//% from "over.cu" import in_new_row, index, over_rows, within

//# The thread's index among the lanes that rotate columns.
//% set lane = "threadIdx.x" if window == 32 else "threadIdx.x % WINDOW"
//% set needs_j = interior_uses.j or has_lists

{% block work %}each thread ${"a row" if rows == 1 else rows ~ " rows"} of a tile, with columns that rotate from lane to lane{% endblock %}

//% block indices

    // Each warp has WARP_COLUMNS columns of the tile.
    const unsigned int start = WARP_COLUMNS * threadIdx.y;
//% endblock

//# The elements of the thread's rows. They are declared here if they are kept for several tiles.
//% block kept
    ${row_elements|lines("@.type @_row[THREAD_ROWS];")}
//% endblock

//# The elements of columns are staged in shared memory, each window twice, because a lane begins at its own column and
//# continues past the end of the window. Reads past the last element are clamped to it; these copies do not have pairs.
//% block stage
//% if column_elements

    // Stage the elements of the warp's columns, each window twice, one copy after the other.
    ${column_elements|lines("__shared__ @.staged @_cols[2 * TILE];")}
#pragma unroll
    for (unsigned int k = 0; k < WARP_COLUMNS; k += WINDOW) {
        const unsigned int begin = start + k;
        const unsigned int column = min(tile_j * TILE + begin + ${lane}, ${domain.columns} - 1);
//% if window == 32
        ${column_elements|lines("const @.type @_col = @_all[column];\n@_cols[2 * begin + threadIdx.x] = @_col;\n@_cols[2 * begin + WINDOW + threadIdx.x] = @_col;")}
//% else
        ${column_elements|lines("@_cols[2 * begin + threadIdx.x] = @_all[column];")}
//% endif
    }
//% endif
{% set own_rows = "" if map.walks else row_elements|lines("@.type @_row[THREAD_ROWS];") %}
{% set own_rows = own_rows ~ in_new_row(over_rows(row_elements|lines("@_row[r] = @_all[min(tile_i * TILE + 32 * r + threadIdx.x, " ~ domain.rows ~ " - 1)];"))) %}
    ${own_rows|paragraph("// Each thread keeps the elements of its rows.")}
//% if column_elements
    __syncwarp();
//% endif
//% endblock

//% block pairs
    ${outputs.begin_tile()}
    ${result.begin_row("[THREAD_ROWS]")|paragraph}
    const bool interior = ${domain.interior};
#pragma unroll 1
    for (unsigned int k = 0; k < WARP_COLUMNS; k += WINDOW) {
        const unsigned int begin = start + k;
        ${window_of_columns()}
    }
    ${outputs.end_tile()}
    ${result.gather_rows()}
//% endblock

//# A window of columns, once around the warp.
//% macro window_of_columns()
    ${result.begin_column()}
    if (interior) {
        // An interior tile: every pair is inside the ${domain.area}.
//# The unrolled code is about equally long for each number of rows, and shorter if a pair's code is long, appends a value or adds
//# to a histogram.
#pragma unroll ${1 if has_long_outputs else (1 if rows == 1 else 2) if has_wide_sums else 8 if is_short else 1 if rows > 4 else 4 if rows < 4 else 2}
        for (unsigned int step = 0; step < WINDOW; ++step) {
            ${steps(false)}
        }
    } else {
        ${domain.boundary}
#pragma unroll 1
        for (unsigned int step = 0; step < WINDOW; ++step) {
            ${steps(true)}
        }
    }
    ${within("if (const unsigned int j = tile_j * TILE + begin + " ~ lane ~ "; j < " ~ domain.columns_stop ~ ")", result.gather(column_results, "@_col", "j", domain.columns))|under("// Each lane has the results of its own column again.")}
//% endmacro

//# The pairs of one step: the thread's rows with its current column.
//% macro steps(is_filtered)
    ${column_elements|lines("const @.type @_col = @_cols[2 * begin + " ~ lane ~ " + step];")}
    ${index("j", "tile_j * TILE + begin + (threadIdx.x + step) % WINDOW", needs_j or is_filtered)}
    ${over_rows(pair(is_filtered))}
    ${outputs.end_step("" if is_filtered else "step")}
    ${result.pass()}
//% endmacro

//% macro pair(is_filtered)
//% set i = "tile_i * TILE + 32 * r + threadIdx.x"
//% set has_i = is_filtered or has_lists
    ${index("i", i, has_i)}
//% if is_filtered
    if (${domain.has_pair}) {~
        ${evaluate("i", "j", "@_row[r]", "@_col", row_result="@_row[r]")}
        ${outputs.append("i", "j")}
    ~}
//% else
        ${evaluate("i" if has_i else i, "j", "@_row[r]", "@_col", row_result="@_row[r]", is_interior=true)}
        ${outputs.append("i", "j")}
//% endif
//% endmacro
