//# Code that several sweeps share.

//# The arguments of a call. With `is_dropped`, what a column adds to sums of arrays is dropped.
//% macro arguments(of, row, column, value, kept_row, kept_column, row_result, column_result, is_dropped=false)
//% for argument in of
${"" if loop.first else ",¶"}
{%- set of_row = (kept_row if kept_row and argument.is_kept else row)|replace("@", argument.name) -%}
{%- set of_column = (kept_column if kept_column and argument.is_kept else column)|replace("@", argument.name) -%}
{%- if argument.is_element -%}
{${of_row}, ${of_column}}
{%- elif argument.is_of_row -%}
${of_row}
{%- elif argument.is_of_column -%}
${of_column}
{%- elif argument.is_result -%}
{%- set result = argument.result -%}
{%- set of_row = row_result|replace("@", argument.name) -%}
{%- set of_column = "@_dropped" if is_dropped and result.is_wide else column_result -%}
{%- set of_column = of_column|replace("@", argument.name) -%}
{%- set of_row = "{" ~ of_row ~ ", j}" if result.has_partner else of_row -%}
{%- set of_column = "{" ~ of_column ~ ", i}" if result.has_partner else of_column -%}
{%- if result.has_row and result.has_column -%}
{${of_row}, ${of_column}}
{%- else -%}
${of_row if result.has_row else of_column}
{%- endif -%}
{%- elif argument.value -%}
${argument.value}${value}
{%- else -%}
${argument.expression}
{%- endif -%}
//% endfor
//% endmacro

//# Calls the pair function once. `row` and `column` are the two elements of a pair, with `@` for the parameter's name;
//# `kept_row` and `kept_column` are the elements that a thread has in registers, if any; `row_result` and `column_result`
//# are the thread's parts of the two elements' results; `value` is appended to the name of a value.
//# With `flag`, nothing is queued or taken: the variable `flag`, or its bit number `bit`, is set if the pair belongs in a queue or
//# may be an extreme.
//# A pair (i, i), which tiles with `is_interior` do not have, adds its part `.i` to a sum of its element; its part `.j` is
//# dropped.
//# With `is_quick`, calls the function of the body `quick` instead.
//% macro evaluate(i, j, row, column, value="", kept_row="", kept_column="", row_result="@_row", column_result="@_col", flag="", bit="", is_interior=false, is_quick=false)
//% set used = marked_uses if flag else interior_uses if is_interior else uses
//% if used.i and i != "i"
const unsigned int i = ${i};
//% endif
//% if used.j and j != "j"
const unsigned int j = ${j};
//% endif
//% for list in lists
td_pushed ${list.name}_pushed;
//% endfor
//% for list in valued_lists
${list.pushed} ${list.name}_pushed${list.pushed_start};
//% endfor
//% for near in nearest
${near.pushed} ${near.name}_pushed;
//% endfor
//% for extreme in extremes
${extreme.offered} ${extreme.name}_offered;
//% endfor
{% set function = name ~ ("_quick" if is_quick else "_pair") %}
{% set of = quick.arguments if is_quick else pair_arguments %}
{% set own_sums = [] if is_interior else sums_of_both %}
//% if own_sums or (wide_sums_of_both and not is_interior)
// A pair (i, i) adds to its element once, through `.i`.
//% endif
//% for result in own_sums
const ${result.part} ${result.name}_saved = ${column_result|replace("@", result.name)};
//% endfor
//# Saving an array would take as many registers again. What a pair adds to an array that is not read costs nothing.
{% set dropped = [] if is_interior else wide_sums_of_both %}
//% if dropped
if (i == j) {
//% for result in dropped
${result.part} ${result.name}_dropped;
//% endfor
${function}(¶${arguments(of, row, column, value, kept_row, kept_column, row_result, column_result, is_dropped=true)});
} else {~
//% endif
${function}(¶${arguments(of, row, column, value, kept_row, kept_column, row_result, column_result)});
//% if dropped
~}
//% endif
//% if own_sums
if (i == j) {~
//% for result in own_sums
${column_result|replace("@", result.name)} = ${result.name}_saved;
//% endfor
~}
//% endif
//# Queues the pushed value, in every sweep, if it is within the bounds, which are staged like elements. The CPU source of
//# kernels without features and the sweep `near` do so themselves.
//% for near in nearest if not near.is_marked
{%- set bounds = (kept_row if kept_row and near.is_kept else row)|replace("@", near.name) -%}
{%- set of_column = (kept_column if kept_column and near.is_kept else column)|replace("@", near.name) -%}
{%- set bounds = bounds ~ ", " ~ of_column if near.has_column else bounds -%}
{%- set is_for_queue = ("!is_exact && " if is_quick else "") ~ near.name ~ "_pushed." ~ ("is_number()" if near.is_in_loops else "is_within(" ~ bounds ~ ")") -%}
//% if flag
${flag} |= ${"(unsigned int)" ~ is_for_queue ~ " << " ~ bit if bit else is_for_queue};
//% else
if (${is_for_queue})
${near.name}_queues.${"put_each" if near.has_column else "put"}(¶${i},¶${j},¶${near.name}_pushed.value);
//% endif
//% endfor
//% for extreme in extremes
{%- set is_better = extreme.name ~ "_offered.is_for(" ~ extreme.name ~ "_best)" %}
//% if flag
${flag} |= ${"(unsigned int)" ~ is_better ~ " << " ~ bit if bit else is_better};
//% else
if (${is_better})
${extreme.name}_best.take(${extreme.name}_offered.value, ${"set, " if extreme.in_sets else ""}${"j, i" if is_exchanged else "i, j"});
//% endif
//% endfor
//% endmacro

//# Appends a single pair to its list, if it was pushed.
//% macro append(row, column)
{% set i, j = (column, row) if is_exchanged else (row, column) %}
//% for list in lists
if (${list.name}_pushed.value)
${list.name}_pairs.push(${i}, ${j});
//% endfor
//% for list in valued_lists
${append_valued(list, i, j)}
//% endfor
//% endmacro

//# Appends a pair with its value to its list, if it was pushed, together with the pairs of the other active lanes of the
//# warp. Each call has its own mask, which does not contain lanes with another list.
//% macro append_valued(list, i, j)
if (${list.name}_pushed.is_pushed)
${list.name}_pairs.push(__activemask(), ${i}, ${j}, ${list.name}_pushed.value);
//% endmacro

//# The values of a pair. They start at zero, so that a slot is initialised even if the body returns early.
//% macro values(count="")
//% for slot in slots
${slot.type} ${slot.value}${count}{};
//% endfor
//% endmacro

//# A pair's parts of the results of its elements.
//% macro parts()
//% for result in row_results
${result.part} ${result.name}_row;
//% endfor
//% for result in column_results
${result.part} ${result.name}_col;
//% endfor
//% endmacro

//# Adds a thread's part of an element's result to the element's cells. With `skips_zeros` it leaves sums that would not change:
//# many pairs of a neighbour list are just outside of the cutoff, and add nothing.
//% macro gather(result, part, at, stride, skips_zeros=false)
//% if result.width
#pragma unroll
for (unsigned int component = 0; component < ${result.width}; ++component)
//% endif
//% for plane in result.planes
//% if skips_zeros and not result.exact and (result.adds or result.width)
if (${part}${plane.member}${result.value} != 0)
//% endif
${added(result, plane, at, part ~ plane.member ~ result.value, stride)}
//% endfor
//% endmacro

//# Adds a warp's results of row i, of which `lanes` adjacent threads each have a part, to the cells of the element. `origin` is
//# added to i.
//% macro gather_lanes(lanes, lane, origin="")
//% if row_results
// Combine the threads' results of the row, and add them to the result of the element.
//% for result in single_row_results
//% for plane in result.planes
const ${result.shared} ${plane.warps} = ${result.of_lanes}<${lanes}>(${result.name}_row${plane.member}${result.value});
//% endfor
//% endfor
//% if single_row_results
if (${lane} == 0 && ${domain.has_row("i")}) {~
//% for result in single_row_results
//% for plane in result.planes
    ${added(result, plane, origin ~ "i", plane.warps, domain.rows)}
//% endfor
//% endfor
~}
//% endif
//% for result in wide_row_results
td_sums_of_lanes<${lanes}, ${result.width}>(${result.name}_row.values, 0, ${result.width}, [&](const unsigned int component, const ${result.number} sum) {
    if (${domain.has_row("i")})
        ${added(result, result.planes[0], origin ~ "i", "sum", domain.rows)}
});
//% endfor
//% endif
//% endmacro

//# `stride` is the number of elements: in exact sums, the same digit of all elements is contiguous. Kernels over many sets have a
//# parameter for it. An array has the cells of each component for all elements one after the other.
//% macro added(result, plane, at, value, stride)
//% set stride = result.stride or stride
//% set words = (result.words ~ "ull * " if result.words > 1 else "(unsigned long long)") if result.width else ""
//% set cells = plane.cells ~ (" + " ~ words ~ "component * " ~ stride if result.width else "")
//% if result.exact
td_add_${"component" if result.width else "exact"}_${result.shared}(${cells}, ${stride}, ${at}, ${value});
//% else
${result.atomic}(${cells} + ${at}, ${value});
//% endif
//% endmacro

//# The pair (i, j), which a thread evaluates and stores by itself. `row` and `column` are its elements, `row_at` and `column_at`
//# their indices among those of all sets, and `slot` is that of its values.
//% macro single_pair(row="@_all[i]", column="@_all[j]", row_at="i", column_at="j", slot=domain.row_start("i") ~ " + j")
${values()}
//% for sum in pair_sums
${sum.part} ${sum.name}_sum;
//% endfor
${parts()}
${evaluate("i", "j", row, column)}
//% for sum in pair_sums
td_add_exact_double<true>(${sum.name}_digits, TOTAL_CELLS, cell, ${sum.result});
//% endfor
${append("i", "j")}
//% for result in row_results
${gather(result, result.name ~ "_row", row_at, domain.rows)}
//% endfor
//% for result in column_results
${gather(result, result.name ~ "_col", column_at, domain.columns)}
//% endfor
//% if row_slots
const unsigned long long slot = ${slot};
//% for slot in row_slots
${slot.memory}[slot] = ${slot.value};
//% endfor
//% endif
//% for slot in squares
${slot.memory}[(unsigned long long)i * n + j] = ${slot.value};
${slot.memory}[(unsigned long long)j * n + i] = ${slot.value};
//% endfor
//% endmacro

//# The folds of the pair (i, j), whose features the thread reads from memory, some words ahead.
//% macro folded_pair()
const unsigned int words = features / WORD + (features % WORD > 0);
//% for p in row_features
const uint4 *const ${p.name}_rows = ${p.name}_all + (unsigned long long)i * words;
//% endfor
//% for p in column_features
const uint4 *const ${p.name}_cols = ${p.name}_all + (unsigned long long)j * words;
//% endfor
//% for fold in folds
${fold.type} ${fold.name}_fold${" = " ~ fold.start if fold.start else "{}"};
//% endfor
//% if quick
${name}_fold(¶${row_features[0].name}_rows,¶${column_features[0].name}_cols,¶${quick.fold_arguments});
//% else
${folded_words()}
//% endif
//% endmacro

//# Folds the features in the words of a row and of a column.
//% macro folded_words()
#pragma unroll 2
for (unsigned int word = 0; word < features / WORD; ++word) {
    ${words_of_pair()}
#pragma unroll
    for (unsigned int offset = 0; offset < WORD; ++offset) {~
        ${feature_of_pair()}
    ~}
}
if (features % WORD > 0) {
    // The remaining features.
    const unsigned int word = features / WORD;
    ${words_of_pair()}
#pragma unroll
    for (unsigned int offset = 0; offset < WORD - 1; ++offset) {
        if (offset < features % WORD) {~
            ${feature_of_pair()}
        ~}
    }
}
//% endmacro

//# A word of features of both elements.
//% macro words_of_pair(word="word")
//% for p in row_features
const auto ${p.name}_row = *(const td_vector<${p.type}, WORD> *)(${p.name}_rows + ${word});
//% endfor
//% for p in column_features
const auto ${p.name}_col = *(const td_vector<${p.type}, WORD> *)(${p.name}_cols + ${word});
//% endfor
//% endmacro

//# A feature of the pair, at `offset` in its word.
//% macro feature_of_pair()
//% if feature_uses_k
const unsigned int k = WORD * word + offset;
//% endif
${name}_feature(¶${feature_arguments});
//% endmacro

//# The results of a tile's rows. Each thread has some of the rows. The four warps of a block have the same rows and combine
//# their parts, so that a tile adds to an element's cell once.
//% macro gather_rows()
//% if wide_row_results and has_warps
//% for result in wide_row_results
    ${combined_pieces(result)}
//% endfor
//% endif
//% if row_results
//% if has_warps
//% if single_row_results

    // Combine the warps' results of each row, and add them to the results of the elements.
//% for result in single_row_results
//% for plane in result.planes
    __shared__ ${result.shared} ${plane.warps}[WARPS][TILE];
//% endfor
//% endfor
#pragma unroll
    for (unsigned int r = 0; r < THREAD_ROWS; ++r) {~
//% for result in single_row_results
//% for plane in result.planes
        ${plane.warps}[threadIdx.y][32 * r + threadIdx.x] = ${result.name}_row[r]${plane.member}${result.value};
//% endfor
//% endfor
    ~}
    __syncthreads();
{% set additions %}
        const unsigned int i = tile_i * TILE + k;
        if (${domain.has_row("i")}) {~
//% for result in single_row_results
//% for plane in result.planes
            ${added(result, plane, "i", result.together ~ "(" ~ plane.warps ~ ", k)", domain.rows)}
//% endfor
//% endfor
        ~}
{% endset %}
    ${over("TILE", side, additions)}
//% endif
//% else

    // Add the results of the thread's rows to the results of the elements.
    ${over_rows(gather_own_rows())}
//% endif
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
                ${added(result, plane, "i", result.together ~ "(" ~ plane.warps ~ ", k)", domain.rows)}
        }
    }
//% endmacro

//% macro gather_own_rows()
    const unsigned int i = tile_i * TILE + 32 * r + threadIdx.x;
    if (${domain.has_row("i")}) {~
//% for result in row_results
        ${gather(result, result.name ~ "_row[r]", "i", domain.rows)}
//% endfor
    ~}
//% endmacro

//# Statements for each of the thread's rows.
//% macro over_rows(statements)
//% if statements
#pragma unroll
for (unsigned int r = 0; r < THREAD_ROWS; ++r) {~
    ${statements}
~}
//% endif
//% endmacro

//# Statements for each k below the constant `name`, whose value is `count`, shared among the threads of the block.
//% macro over(name, count, statements)
//% if statements
//% if count == threads
{
const unsigned int k = threadIdx.y * WIDTH + threadIdx.x;
${statements}
}
//% elif count < threads
if (const unsigned int k = threadIdx.y * WIDTH + threadIdx.x; k < ${name}) {~
${statements}
~}
//% else
for (unsigned int k = threadIdx.y * WIDTH + threadIdx.x; k < ${name}; k += THREADS) {~
${statements}
~}
//% endif
//% endif
//% endmacro

//# Values of a thread that do not form one vector are stored through shared memory.
//% macro segments()
//% if indirect

    // A segment of values for each row of threads, for contiguous vector stores.
//% for slot in indirect
    __shared__ td_segment<${slot.type}, VECTOR * WIDTH, VECTOR> ${slot.name}_segment[HEIGHT];
//% endfor
//% endif
//% endmacro

//# Stores the neighbouring values of a thread as a vector, or those of a whole row of threads through its segment.
//% macro store(slot, at)
//% if slot.vector
td_store<${slot.vector}>(${at}, ${slot.value});
//% else
td_store_segment(${at}, ${slot.value}, ${slot.name}_segment[threadIdx.y]);
//% endif
//% endmacro

//# The offset of a thread's values from the first value of its row of threads. Values stored from registers need it;
//# values that go through shared memory are stored for the whole row at once.
{% macro own_offset(slot) %}${" + VECTOR * threadIdx.x" if slot.vector else ""}{% endmacro %}

//# The condition, appended to others, that vectors can be stored: a view of memory can start at any address.
{% macro and_aligned(slots) %}{% for slot in slots %} && td_is_aligned(${slot.memory}){% endfor %}{% endmacro %}
