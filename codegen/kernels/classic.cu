//# The classic sweep: one thread, one pair, and the filter that keeps the pairs.
//#
//# The order of a kernel: helpers, pair function, signature, the map's prologue (kernel.cu); stage and pairs (here);
//# the flush of the sums (kernel.cu). What several sweeps share, such as the call of the pair function: parts.cu.
//% extends "kernel.cu"
//% from "parts.cu" import evaluate, append, values, gather, parts

{% block work %}one thread a pair{% endblock %}
{% block blocks %}blocks of ${side} x ${side} threads{% endblock %}

//% block indices

//% if map.gives_pairs
//# Without the diagonal, the pairs of n elements are a triangle of n - 1 rows with it.
    const unsigned int i = ${"row" if diagonal else "row + 1"};
//% if uses.j or each or slots or has_lists or results
    const unsigned int j = col;
//% else
    (void)col; // a pair's row is all that is asked for
//% endif
//% else
    const unsigned int i = row * TILE + threadIdx.y;
    const unsigned int j = col * TILE + threadIdx.x;
//% endif
//% endblock

//# One row of threads loads the elements of the block's rows and another the elements of its columns, so that each load
//# is coalesced. Both loads are filtered, because the last block row can pass n. Where the map gives pairs, the pairs
//# of a block lie anywhere, and each thread reads its own two elements.
//% block stage
//% if (row_elements or column_elements) and not map.gives_pairs

    // Stage the elements of the block's ${"rows and columns" if row_elements and column_elements else "rows" if row_elements else "columns"}.
//% for p in row_elements
    __shared__ ${p.type} ${p.name}_rows[TILE];
//% endfor
//% for p in column_elements
    __shared__ ${p.type} ${p.name}_cols[TILE];
//% endfor
    if (threadIdx.y == 0 && row * TILE + threadIdx.x < ${domain.rows}${" && (" ~ map.is_new_row ~ ")" if map.walks else ""}) {~
//% for p in row_elements
        ${p.name}_rows[threadIdx.x] = ${p.name}_all[row * TILE + threadIdx.x];
//% endfor
    ~}
    if (threadIdx.y == 1 && j < ${domain.columns}) {~
//% for p in column_elements
        ${p.name}_cols[threadIdx.x] = ${p.name}_all[j];
//% endfor
    ~}
    __syncthreads();
//% endif
//% endblock

//# Blocks on the diagonal hold pairs on both sides of it, and blocks of the last row can pass n. If i is inside a
//# triangle, so is j, which is no larger. Where the map gives pairs, each thread has one, and only surplus threads are left to filter.
//% block pairs

//% if map.gives_pairs
    // Surplus threads, which only round the grid up, have no pair.
    if (i < n) {
        ${values()}
        ${parts()}
        ${evaluate("i", "j", "@_all[i]", "@_all[j]")}
//% else
//% if domain.is_rectangle
    // Blocks of the last row and column can pass the end.
//% else
    // The diagonal filter: pairs ${domain.filter}, inside the triangle.
//% endif
    if (${domain.has_pair}) {
        ${values()}
        ${parts()}
        ${evaluate("i", "j", "@_rows[threadIdx.y]", "@_cols[threadIdx.x]")}
//% endif
        ${append("i", "j")}
//% for result in row_results
        ${gather(result, result.name ~ "_row", "i", domain.rows)}
//% endfor
//% for result in column_results
        ${gather(result, result.name ~ "_col", "j", domain.columns)}
//% endfor
//% if row_slots
        const unsigned long long slot = ${domain.row_start("i")} + j;
//% for slot in row_slots
        ${slot.memory}[slot] = ${slot.value};
//% endfor
//% endif
//% for slot in squares
        ${slot.name}_square[(unsigned long long)i * n + j] = ${slot.value};
        ${slot.name}_square[(unsigned long long)j * n + i] = ${slot.value};
//% endfor
//% if squares and not diagonal
    } else if (i == j && ${domain.has_row("i")}) {
//% for slot in squares
        ${slot.name}_square[(unsigned long long)i * n + i] = ${slot.name}_diagonal;
//% endfor
//% endif
    }
//% endblock
