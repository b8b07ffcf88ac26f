//# The classic sweep: one thread per pair. A filter skips threads without a pair.
//#
//# The order of a kernel: helpers, pair function, signature, the map's prologue (kernel.cu); stage and pairs (here);
//# the flush of the sums (kernel.cu). Code that several sweeps share, such as the call of the pair function, is in parts.cu.
//% extends "kernel.cu"
//% from "parts.cu" import outputs, single_pair, slot

{% block work %}one thread per pair{% endblock %}
{% block blocks %}blocks of ${side} x ${side} threads{% endblock %}

//% block indices

//% if map.gives_pairs
//# The pairs of n elements without the diagonal are a triangle of n - 1 rows with its diagonal.
    const unsigned int i = ${"row" if diagonal else "row + 1"};
//% if uses.j or each or slots or has_lists or results
    const unsigned int j = col;
//% else
    (void)col; // only the row of the pair is used
//% endif
//% else
    const unsigned int i = tile_i * TILE + threadIdx.y;
    const unsigned int j = tile_j * TILE + threadIdx.x;
//% endif
//% endblock

//# One row of threads loads the elements of the block's rows and another the elements of its columns, so that each load
//# is coalesced. Both loads are filtered, because the last row of blocks can reach past n. In thread space the pairs of a
//# block are scattered, so each thread reads its own two elements.
//% block stage
//% if (row_elements or column_elements) and not map.gives_pairs

    // Stage the elements of the block's ${"rows and columns" if row_elements and column_elements else "rows" if row_elements else "columns"}.
    ${row_elements|lines("__shared__ @.type @_rows[TILE];")}
    ${column_elements|lines("__shared__ @.type @_cols[TILE];")}
    if (threadIdx.y == 0 && tile_i * TILE + threadIdx.x < ${domain.rows}${" && (" ~ map.is_new_row ~ ")" if map.walks else ""}) {~
        ${row_elements|lines("@_rows[threadIdx.x] = @_all[tile_i * TILE + threadIdx.x];")}
    ~}
    if (threadIdx.y == 1 && j < ${domain.columns}) {~
        ${column_elements|lines("@_cols[threadIdx.x] = @_all[j];")}
    ~}
    __syncthreads();
//% endif
//% endblock

//# Blocks on the diagonal have threads on both sides of it, and blocks of the last row can reach past n. If i is inside a
//# triangle, so is j, because j <= i. In thread space each thread has a pair inside the triangle, except surplus threads.
//% block pairs

//% if map.gives_pairs
    // The grid is rounded up to whole blocks. Surplus threads do not have a pair.
    if (i < n) {
        ${single_pair()}
//% else
//% if domain.is_rectangle
    // Blocks of the last row and column can reach past the end.
//% else
    // The diagonal filter: only pairs ${domain.filter} inside the triangle.
//% endif
    if (${domain.has_pair}) {
        ${single_pair("@_rows[threadIdx.y]", "@_cols[threadIdx.x]")}
//% endif
//% if diagonal_squares
    } else if (i == j && ${domain.has_row("i")}) {
        ${slot.store_diagonal()}
//% endif
    }
//% endblock
