//# The sweep `reduce`, for states that a function of the prelude joins. Each thread has the element and the state of a row, and
//# the warps of a block share the columns, a window of TILE at a time. A block has all pairs of its elements, so states are
//# joined without atomics, in the same order in every run.
//#
//# In a triangle each pair is evaluated twice, once for each of its elements. The state that it joins to the other element is
//# dropped, and the compiler removes code that only computes dropped values.
//#
//# Features are folded for a few columns at a time, so that a word of the thread's own element serves all of them. All threads of a
//# warp read the same words of columns.
//% extends "kernel.cu"
//% from "parts.cu" import evaluate, outputs
//% from "over.cu" import unrolled

//# With features, a column within those that are folded together.
//% set at = "c + index" if folds else "c"
//# Staged elements, or those that do not fit shared memory.
//% set column = "@_cols[threadIdx.y][" ~ at ~ "]" if is_staged else "@_all[begin + " ~ at ~ "]"

{% block work %}a row for each lane, and a share of the columns for each warp{% endblock %}

//% block indices

    const unsigned int row = tile_i * TILE + threadIdx.x;
//% if folds
    const unsigned int words = features / WORD + (features % WORD > 0);
//% endif
//% endblock

//% block stage
    ${row_elements|lines("const @.type @_own = @_all[min(row, " ~ domain.rows ~ " - 1)];")|paragraph("// Each thread keeps the element of its row. Reads past the last element are clamped to it.")}
    ${row_features|lines("const uint4 *const @_rows = @_all + (unsigned long long)min(row, " ~ domain.rows ~ " - 1) * words;")}
//% endblock

//% block pairs

    ${results|lines("@.part @_own{@_start};")}
    ${column_elements|lines("__shared__ @.type @_cols[WARPS][TILE];") if is_staged else ""}
#pragma unroll 1
    for (unsigned int begin = TILE * threadIdx.y; begin < ${domain.columns_stop}; begin += TILE * WARPS) {
        const unsigned int stop = min(${domain.columns_stop} - begin, TILE);
//% if is_staged
        // Stage the window's elements, once all lanes have visited the one before it.
        __syncwarp();
        if (threadIdx.x < stop) {~
            ${column_elements|lines("@_cols[threadIdx.y][threadIdx.x] = @_all[begin + threadIdx.x];")}
        ~}
        __syncwarp();
//% endif
//% if domain.is_rectangle
{% set all = columns("0", of_row(), true) %}
        ${("if (" ~ domain.has_row("row") ~ ") {\n" ~ all ~ "}") if has_outputs_of_all else all}
//% else
        if (begin < tile_i * TILE) {
            // Below the diagonal: the thread's element is the pair's i.
            if (${domain.has_row("row")}) {
                ${columns("0", of_row(), true)}
            }
        } else if (begin > tile_i * TILE) {
            // Above the diagonal: it is the pair's j.
            ${columns("max(begin, " ~ domain.first ~ ") - begin", of_column(), false)}
        } else {
#pragma unroll 1
            for (unsigned int c = 0; c < stop; ++c) {
                const unsigned int col = begin + c;
                if (${domain.has("row", "col", diagonal)}) {
                    ${single(of_row(), true)}
                } else if (${domain.has("col", "row", false)}) {
                    ${single(of_column(), false)}
                }
            }
        }
//% endif
    }
//% endblock

//# The pairs of a window's columns. `is_row`: whether the thread's element is the pair's i, or row.
//% macro columns(first, pair, is_row)
//% if folds
#pragma unroll 1
for (unsigned int c = ${first}; c < stop; c += FOLDED_COLUMNS) {
    ${folded("FOLDED_COLUMNS", is_row)}
#pragma unroll
    for (unsigned int index = 0; index < FOLDED_COLUMNS; ++index) {
        if (c + index >= stop)
            break;
        ${pair}
    }
}
//% else
#pragma unroll ${unrolled(4)}
for (unsigned int c = ${first}; c < stop; ++c) {
    ${pair}
}
//% endif
//% endmacro

//# The pair of column c, which other threads of the warp may skip.
//% macro single(pair, is_row)
//% if folds
constexpr unsigned int index = 0;
${folded("1", is_row)}
//% endif
${pair}
//% endmacro

//# Folds the features of the thread's element with those of `count` columns. Reads past the window are clamped to its last column.
//% macro folded(count, is_row)
${folds|lines("@.type @_folds[" ~ count ~ "]@.zeros;")}
#pragma unroll
for (unsigned int next = 0; next < ${count}; ++next) {~
    ${folds|only("start")|lines("@_folds[next] = @.start;")}
~}
#pragma unroll 1
for (unsigned int word = 0; word < features / WORD; ++word) {
    ${word_of_columns(count, is_row, "WORD", feature(is_row))}
}
if (features % WORD > 0) {
    // The remaining features.
    const unsigned int word = features / WORD;
    ${word_of_columns(count, is_row, "WORD - 1", remaining_feature(is_row))}
}
//% endmacro

//% macro word_of_columns(count, is_row, bound, feature)
${row_features|lines("const auto @_own = *(const td_vector<@.type, WORD> *)(@_rows + word);")}
#pragma unroll
for (unsigned int next = 0; next < ${count}; ++next) {
    ${column_features|lines("const auto @_other =¶ *(const td_vector<@.type, WORD> *)(@_all + (unsigned long long)(begin + min(c + next, stop - 1)) * words + word);")}
    ${folds|lines("@.type &@_fold = @_folds[next];")}
#pragma unroll
    for (unsigned int offset = 0; offset < ${bound}; ++offset) {~
        ${feature}
    ~}
}
//% endmacro

//% macro feature(is_row)
//% if feature_uses_k
const unsigned int k = WORD * word + offset;
//% endif
${name}_feature(¶${(feature_arguments if is_row else exchanged_arguments)});
//% endmacro

//% macro remaining_feature(is_row)
if (offset < features % WORD) {~
    ${feature(is_row)}
~}
//% endmacro

//# A pair whose i, or row, is the thread's element.
//% macro of_row()
${dropped()}
${evaluate("row", "begin + " ~ at, "@_own", column, row_result="@_own", column_result="@_dropped", is_interior=true)}
${outputs.append("row", "begin + " ~ at)}
//% endmacro

//# A pair whose j is the thread's element. Another thread counts it for outputs of all pairs.
//% macro of_column()
${dropped()}
${outputs.drop()}
${evaluate("begin + " ~ at, "row", column, "@_own", row_result="@_dropped", column_result="@_own", is_interior=true)}
//% endmacro

//# The states of a pair's other element.
//% macro dropped()
${column_results|lines("@.part @_dropped{@_start};")}
//% endmacro

//% block flush

    // Join the warps' states of each row, one warp after another.
    ${results|lines("__shared__ @.type @_warps[TILE];")}
#pragma unroll 1
    for (unsigned int warp = 1; warp < WARPS; ++warp) {
        if (threadIdx.y == warp) {~
            ${results|lines("@_warps[threadIdx.x] = @_own.state;")}
        ~}
        __syncthreads();
        if (threadIdx.y == 0) {~
            ${results|lines("@_own.join(@_warps[threadIdx.x]);")}
        ~}
        __syncthreads();
    }
    if (threadIdx.y == 0 && ${domain.has_row("row") if domain.is_rectangle else "row < " ~ domain.end}) {~
        ${results|lines("@_states[row] = td_join(@_states[row], @_own.state);")}
    ~}
    ${super()}
//% endblock
