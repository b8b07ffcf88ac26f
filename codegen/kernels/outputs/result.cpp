//# Results of elements: a part has those of some rows and columns, which it adds to the elements' cells.

//# Adds parts of elements' results to the elements' cells. In the added expression `value`, `@.member` is a vector's component as a
//# member (`.x`) and `@.suffix` the component as the end of a name (`_x`). A double is added to an exact sum of floats as two floats.
//# Other results are added by atomics, unless the thread holds the lock of the elements (`has_turn`).
//% macro gather(results, value, at, stride, is_double=false, has_turn=false)
//% for result in results
//% set stride = result.stride or stride
//% if result.width
for (unsigned int component = 0; component < ${result.width}; ++component) {~
//% endif
//% for plane in [result]|planes
//% set words = (result.words ~ "ull * " if result.words > 1 else "(unsigned long long)") if result.width else ""
//% set cells = plane.cells ~ (" + " ~ words ~ "component * " ~ stride if result.width else "")
//% set part = value|of(plane)
//% if result.exact and result.number == "float" and is_double
{
const float high = ${part};
// The two floats together have all bits of the double that matter.
td_add_exact_float(${cells}, ${stride}, ${at}, high);
if (isfinite(high))
td_add_exact_float(${cells}, ${stride}, ${at}, ${part} - high);
}
//% elif result.exact
td_add_exact_${result.number}(${cells}, ${stride}, ${at}, ${part});
//% elif has_turn and result.width
${plane.cells}[${words}component * ${stride} + ${at}] += ${part};
//% elif has_turn and result.adds
${plane.cells}[${at}] += ${part};
//% elif has_turn
${plane.cells}[${at}] = max(${plane.cells}[${at}], ${part});
//% else
${result.atomic}(${cells} + ${at}, ${part});
//% endif
//% endfor
//% if result.width
~}
//% endif
//% endfor
//% endmacro

//# A pair's parts.
//% macro begin_pair()
${row_results|lines("@.part @_row;")}
${column_results|lines("@.part @_col;")}
//% endmacro
//% macro end_pair(row="i", column="j", rows=row_results)
${gather(rows, "@_row@.member@.value", row, domain.rows)}
${gather(column_results, "@_col@.member@.value", column, domain.columns)}
//% endmacro

//# In loops that a compiler vectorises, a pair adds to its own variables. Integers of a row are added up immediately. Floats are
//# stored, and added up by a separate loop. Results of columns are added up in arrays.
//% macro begin_lines()
//% for result in row_results|only("adds")|only("is_float")
${result.shared} ${list_of(result, "@_line@.suffix[BLOCK_COLUMNS]")};
//% endfor
//% for result in row_results|only("adds")
${result.wide} ${list_of(result, "@_rows@.suffix[MAX_PART_ROWS]{}")};
//% endfor
${row_results|without("adds")|lines("@.of_part @_rows[MAX_PART_ROWS];")}
//% endmacro

{% macro list_of(result, text) %}{% for plane in [result]|planes %}${"" if loop.first else ", "}${text|of(plane)}{% endfor %}{% endmacro %}

//% macro begin_block()
//% for result in column_results|only("adds")
${result.shared} ${list_of(result, "@_cols@.suffix[BLOCK_COLUMNS]{}")};
//% endfor
${column_results|without("adds")|lines("@.part @_cols[BLOCK_COLUMNS];")}
//% endmacro

//% macro begin_row()
${row_results|only("adds")|without("is_float")|planes|lines("@.shared @_line@.suffix = 0;")}
${row_results|only("width")|lines("@.part @_row;")}
${row_results|without("adds")|without("width")|lines("@.part @_row = @_rows[i - start];")}
//% endmacro

//% macro begin_pair_of_row()
${results|only("adds")|lines("@.part @.own;")}
${column_results|without("adds")|lines("@.part &@_col = @_cols[c];")}
//% endmacro

//% macro store_pair()
${row_results|only("adds")|planes|lines("@_line@.suffix@.stored@_row@.member.value;")}
${column_results|only("adds")|planes|lines("@_cols@.suffix[c] += @_col@.member.value;")}
//% endmacro

//% macro begin_sums_of_line()
//% for result in row_results|only("adds")|only("is_float")
${result.shared} ${list_of(result, "@_part@.suffix = 0")};
//% endfor
//% endmacro
//% macro add_line()
${row_results|only("adds")|only("is_float")|planes|lines("@_part@.suffix += @_line@.suffix[c];")}
//% endmacro

//% macro end_row()
${row_results|only("adds")|planes|lines("@_rows@.suffix[i - start] += @_@.of_line@.suffix;")}
${row_results|only("width")|lines("@_rows[i - start] += @_row;")}
${row_results|without("adds")|without("width")|lines("@_rows[i - start] = @_row;")}
//% endmacro

//% macro end_block()
${gather(column_results|only("adds"), "@_cols@.suffix[c]", "begin + c", domain.columns, has_turn=true)}
${gather(column_results|without("adds"), "@_cols[c]@.member@.value", "begin + c", domain.columns, has_turn=true)}
//% endmacro

//% macro end_rows()
${gather(row_results|only("adds"), "@_rows@.suffix[i - start]", "i", domain.rows, is_double=true, has_turn=true)}
${gather(row_results|without("adds")|without("width"), "@_rows[i - start]@.member@.value", "i", domain.rows, has_turn=true)}
${gather(row_results|only("width"), "@_rows[i - start]@.member@.value", "i", domain.rows, is_double=true, has_turn=true)}
//% endmacro
