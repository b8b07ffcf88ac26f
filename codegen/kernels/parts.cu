//# Code that several sweeps share.
//% from "over.cu" import index
//% import "outputs.cu" as outputs
//% set neighbours, result, slot, sum = outputs.neighbours, outputs.result, outputs.slot, outputs.sum

//# The arguments of a call. With `is_dropped`, what a column adds to sums of arrays is dropped.
//% macro arguments(of, row, column, value="", kept_row="", kept_column="", row_result="", column_result="", is_dropped=false)
{%- for argument in of -%}
{%- set of_row = kept_row if kept_row and argument.is_kept else row -%}
{%- set of_column = kept_column if kept_column and argument.is_kept else column -%}
{%- set part = "@_dropped" if is_dropped and argument.is_wide else column_result -%}
${"" if loop.first else ",¶"}${argument.text|replace("%row", of_row)|replace("%column", of_column)|replace("%i", row_result)|replace("%j", part)|replace("%value", value)|of(argument)}
{%- endfor -%}
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
${index("i", i, used.i)}
${index("j", j, used.j)}
${outputs.begin_pair()}
{% set function = name ~ ("_quick" if is_quick else "_pair") %}
{% set of = quick.arguments if is_quick else pair_arguments %}
{% set own_sums = [] if is_interior else sums_of_both %}
//% if own_sums or (wide_sums_of_both and not is_interior)
// A pair (i, i) adds to its element once, through `.i`.
//% endif
${own_sums|lines("const @.part @_saved = " ~ column_result ~ ";")}
//# Saving an array would take as many registers again. What a pair adds to an array that is not read costs nothing.
{% set dropped = [] if is_interior else wide_sums_of_both %}
//% if dropped
if (i == j) {
${dropped|lines("@.part @_dropped;")}
${function}(¶${arguments(of, row, column, value, kept_row, kept_column, row_result, column_result, is_dropped=true)});
} else {~
//% endif
${function}(¶${arguments(of, row, column, value, kept_row, kept_column, row_result, column_result)});
//% if dropped
~}
//% endif
if (i == j) {~
    ${own_sums|lines(column_result ~ " = @_saved;")}
~}
${outputs.take(i, j, row, column, kept_row, kept_column, flag, bit, is_quick)}
//% endmacro

//# The pair (i, j), which a thread evaluates and stores by itself. `row` and `column` are its elements, `row_at` and `column_at`
//# their indices among those of all sets, and `slot_at` is that of its values.
//% macro single_pair(row="@_all[i]", column="@_all[j]", row_at="i", column_at="j", slot_at=domain.row_start("i") ~ " + j")
${slot.begin_pair()}
${sum.begin_pair()}
${result.begin_pair()}
${evaluate("i", "j", row, column)}
${sum.end_pair()}
${outputs.append("i", "j")}
${result.end_pair(row_at, column_at)}
//% if row_slots
const unsigned long long slot = ${slot_at};
//% endif
${slot.store_pair("slot")}
//% endmacro

//# The folds of the pair (i, j), whose features the thread reads from memory, some words ahead.
//% macro folded_pair()
const unsigned int words = features / WORD + (features % WORD > 0);
${row_features|lines("const uint4 *const @_rows = @_all + (unsigned long long)i * words;")}
${column_features|lines("const uint4 *const @_cols = @_all + (unsigned long long)j * words;")}
${folds|lines("@.type @_fold@.begin;")}
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
${row_features|lines("const auto @_row = *(const td_vector<@.type, WORD> *)(@_rows + " ~ word ~ ");")}
${column_features|lines("const auto @_col = *(const td_vector<@.type, WORD> *)(@_cols + " ~ word ~ ");")}
//% endmacro

//# A feature of the pair, at `offset` in its word.
//% macro feature_of_pair()
//% if feature_uses_k
const unsigned int k = WORD * word + offset;
//% endif
${name}_feature(¶${feature_arguments});
//% endmacro
