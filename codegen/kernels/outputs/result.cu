//# Results of elements: each thread has parts of some, which it adds to their cells.
//% from "over.cu" import index, over, over_rows, within

//# A pair's parts of the results of its elements.
//% macro begin_pair()
${begin_row()}
${begin_column()}
//% endmacro

//# A thread's parts of the results of rows or columns, of which it has `count`.
//% macro begin_row(count="")
${row_results|lines("@.part @_row" ~ count ~ ";")}
//% endmacro
//% macro begin_column(count="")
${column_results|lines("@.part @_col" ~ count ~ ";")}
//% endmacro

//# Adds a thread's parts of elements' results to the elements' cells. With `skips_zeros` it leaves sums that would not change:
//# many pairs of a neighbour list are just outside of the cutoff, and add nothing.
//% macro gather(results, part, at, stride, skips_zeros=false)
//% for result in results
//% if result.width
#pragma unroll
for (unsigned int component = 0; component < ${result.width}; ++component)
//% endif
//% for plane in [result]|planes
//% set value = (part ~ "@.member@.value")|of(plane)
//% if skips_zeros and not result.exact and (result.adds or result.width)
if (${value} != 0)
//% endif
${added(plane, at, value, stride)}
//% endfor
//% endfor
//% endmacro

//# A pair's parts.
//% macro end_pair(row="i", column="j", skips_zeros=false)
${gather(row_results, "@_row", row, domain.rows, skips_zeros)}
${gather(column_results, "@_col", column, domain.columns, skips_zeros)}
//% endmacro

//# `stride` is the number of elements: in exact sums, the same digit of all elements is contiguous. Kernels over many sets have a
//# parameter for it. An array has the cells of each component for all elements one after the other.
//% macro added(plane, at, value, stride)
//% set stride = plane.stride or stride
//% set words = (plane.words ~ "ull * " if plane.words > 1 else "(unsigned long long)") if plane.width else ""
//% set cells = plane.cells ~ (" + " ~ words ~ "component * " ~ stride if plane.width else "")
//% if plane.exact
td_add_${"component" if plane.width else "exact"}_${plane.shared}(${cells}, ${stride}, ${at}, ${value});
//% else
${plane.atomic}(${cells} + ${at}, ${value});
//% endif
//% endmacro

//# Adds planes to the cells of the row's element, each with this value.
//% macro added_planes(results, at, value)
//% for plane in results|planes
${added(plane, at, value|of(plane), domain.rows)}
//% endfor
//% endmacro

//# Adds a warp's results of row i, of which `lanes` adjacent threads each have a part, to the cells of the element. `origin` is
//# added to i.
//% macro gather_lanes(lanes, lane, origin="")
{% set combined %}
${single_row_results|planes|lines("const @.shared @.warps = @.of_lanes<" ~ lanes ~ ">(@_row@.member@.value);")}
${within("if (" ~ lane ~ " == 0 && " ~ domain.has_row("i") ~ ")", added_planes(single_row_results, origin ~ "i", "@.warps"))}
//% for result in wide_row_results
td_sums_of_lanes<${lanes}, ${result.width}>(${result.name}_row.values, 0, ${result.width}, [&](const unsigned int component, const ${result.number} sum) {
    if (${domain.has_row("i")})
        ${added_planes([result], origin ~ "i", "sum")}
});
//% endfor
{% endset %}
${combined|under("// Combine the threads' results of the row, and add them to the result of the element.")}
//% endmacro

//# The results of a tile's rows. Each thread has some of the rows. The four warps of a block have the same rows and combine
//# their parts, so that a tile adds to an element's cell once.
//% macro gather_rows()
//% if has_warps
//% for result in wide_row_results
    ${combined_pieces(result)}
//% endfor
    ${combined_warps()}
//% else
    ${over_rows(own_rows() if row_results else "")|paragraph("// Add the results of the thread's rows to the results of the elements.")}
//% endif
//% endmacro

//# The warps of a block have the same rows.
//% macro combined_warps()
//% if single_row_results

    // Combine the warps' results of each row, and add them to the results of the elements.
    ${single_row_results|planes|lines("__shared__ @.shared @.warps[WARPS][TILE];")}
    ${over_rows(single_row_results|planes|lines("@.warps[threadIdx.y][32 * r + threadIdx.x] = @_row[r]@.member@.value;"))}
    __syncthreads();
{% set additions %}
        const unsigned int i = tile_i * TILE + k;
        if (${domain.has_row("i")}) {~
            ${added_planes(single_row_results, "i", "@.together(@.warps, k)")}
        ~}
{% endset %}
    ${over("TILE", side, additions)}
//% endif
//% endmacro

//# The sums of arrays: the warps of a block combine a few components of all rows at a time.
//% macro combined_pieces(result)
//% set plane = result.planes[0]

    // Combine the warps' sums of each row, ${result.piece} components at a time, and add them to the sums of the elements.
    __shared__ ${result.shared} ${plane.warps}[WARPS][${result.piece} * TILE];
#pragma unroll
    for (unsigned int first = 0; first < ${result.width}; first += ${result.piece}) {
        if (first > 0)
            __syncthreads();
#pragma unroll
        for (unsigned int r = 0; r < THREAD_ROWS; ++r) {
#pragma unroll
            for (unsigned int k = 0; k < ${"min(" ~ result.width ~ " - first, " ~ result.piece ~ ")" if result.is_ragged else result.piece}; ++k)
                ${plane.warps}[threadIdx.y][TILE * k + 32 * r + threadIdx.x] = ${result.name}_row[r].values[first + k];
        }
        __syncthreads();
#pragma unroll
        for (unsigned int k = threadIdx.y * WIDTH + threadIdx.x; k < ${result.piece} * TILE; k += THREADS) {
            const unsigned int i = tile_i * TILE + k % TILE, component = first + k / TILE;
            if (${domain.has_row("i")}${" && component < " ~ result.width if result.is_ragged else ""})
                ${added_planes([result], "i", "@.together(@.warps, k)")}
        }
    }
//% endmacro

//% macro own_rows()
    const unsigned int i = tile_i * TILE + 32 * r + threadIdx.x;
    if (${domain.has_row("i")}) {~
        ${gather(row_results, "@_row[r]", "i", domain.rows)}
    ~}
//% endmacro

//# The results of the column `at`.
//% macro end_columns(part, at)
{% set added = within("if (j < " ~ domain.columns_stop ~ ")", gather(column_results, part, "j", domain.columns)) %}
${(index("j", at) ~ added) if column_results else ""}
//% endmacro

//# A column's results, which its lane passes to the next lane.
//% macro pass()
//% for result in column_results
//% if result.width
#pragma unroll
for (unsigned int component = 0; component < ${result.width}; ++component)
${result.name}_col.values[component] = td_next_lane<WINDOW>(${result.name}_col.values[component]);
//% endif
//% for part in result.passed
${result.name}_col${part} = td_next_lane<WINDOW>(${result.name}_col${part});
//% endfor
//% endfor
//% endmacro

//# Before a pair that may be evaluated again, and to take back what it added.
//% macro save(row, column)
${row_results|lines("const @.part @_row_before = " ~ row ~ ";")}
${column_results|lines("const @.part @_col_before = " ~ column ~ ";")}
//% endmacro
//% macro restore(row, column)
${row_results|lines(row ~ " = @_row_before;")}
${column_results|lines(column ~ " = @_col_before;")}
//% endmacro
