//# The CPU source of kernels with states that a function of the prelude joins. A call has some elements, and visits all pairs of
//# each, so the states of an element are joined in the order of its partners, in any number of threads.
//#
//# As on a GPU, each pair of a triangle is evaluated twice, and the state of its other element is dropped.
//% extends "kernel.cpp"
//% from "parts.cu" import evaluate
//% import "outputs.cpp" as outputs

{% block call %}some elements{% endblock %}

//# A pair with `row` first, or last.
//% macro of_row()
${dropped()}
${outputs.begin_pair()}
${evaluate("row", "col", "@_own", "@_all[col]", row_result="@_own", column_result="@_dropped", is_interior=true)}
${outputs.end_pair("col", "row") if is_exchanged else outputs.end_pair("row", "col")}
//% endmacro
//% macro of_column()
${dropped()}
${outputs.drop()}
${evaluate("col", "row", "@_all[col]", "@_own", row_result="@_dropped", column_result="@_own", is_interior=true)}
//% endmacro

//# The pairs of an element with the columns from `first` to `end`. `is_row`: whether the element is the pair's i, or row. Features are
//# folded for a few columns at a time, whose chains of additions do not wait for each other.
//% macro columns(first, end, pair, is_row, guard="")
//% if folds
for (unsigned int first = ${first}; ${guard}first < ${end}; first += FOLDED_COLUMNS) {
    const unsigned int count = min(${end} - first, FOLDED_COLUMNS);
    ${folds|lines("@.type @_folds[FOLDED_COLUMNS]@.zeros;")}
    for (unsigned int index = 0; index < FOLDED_COLUMNS; ++index) {~
        ${folds|only("start")|lines("@_folds[index] = @.start;")}
    ~}
    ${row_features|lines("const @.type *const @_own = (const @.type *)(@_all + (unsigned long long)row * words);")}
    ${column_features|lines("const @.type *@_others[FOLDED_COLUMNS];\nfor (unsigned int index = 0; index < FOLDED_COLUMNS; ++index)\n@_others[index] = (const @.type *)(@_all + (unsigned long long)(first + min(index, count - 1)) * words);")}
    for (unsigned int k = 0; k < features; ++k) {
        for (unsigned int index = 0; index < FOLDED_COLUMNS; ++index) {
            ${column_features|lines("const @.type *const @_other = @_others[index];")}
            ${folds|lines("@.type &@_fold = @_folds[index];")}
            ${name}_feature(¶${(feature_arguments if is_row else exchanged_arguments)});
        }
    }
    for (unsigned int index = 0; index < count; ++index) {
        const unsigned int col = first + index;
        ${pair}
    }
}
//% else
for (unsigned int col = ${first}; ${guard}col < ${end}; ++col) {
    ${pair}
}
//% endif
//% endmacro

//% macro dropped()
${column_results|lines("@.part @_dropped{@_start};")}
//% endmacro

//% block pairs
    // Every so many elements belong to this part${"" if domain.is_rectangle else ", which may be outside of the range of rows"}.
    const unsigned int parts = (row_end - row_begin - 1) / height + 1;
    ${outputs.begin_part()}
//% if folds
    const unsigned int words = features / WORD + (features % WORD > 0);
//% endif
    for (unsigned long long element = ${"(unsigned long long)row_begin + " if domain.is_rectangle else ""}part; element < row_end; element += parts) {
        const unsigned int row = element;
        ${row_elements|lines("const @.type &@_own = @_all[row];")}
        ${results|lines("@.part @_own{@_start};")}
//% if domain.is_rectangle
        ${columns("0", "columns", of_row(), true)}
//% else
        // The pairs whose i is the element, and those whose j it is.
        ${columns("0", domain.columns_end("row"), of_row(), true, "row >= row_begin && ")}
        ${columns("max(row + 1, row_begin)", "row_end", of_column(), false)}
//% endif
        ${results|lines("@_states[row] = td_join(@_states[row], @_own.state);")}
    }
    ${outputs.end_part()}
//% endblock
