//# The sum of all pairs: a part adds up its own, and then adds it to a cell.

//# The sum of a pair, or of a column of a block.
//% macro begin_pair(count="")
${sums|lines("@.part @_sum" ~ count ~ ";")}
//% endmacro

//% macro end_pair()
${pair_sums|lines("td_add_exact_double<true>(@_digits, TOTAL_CELLS, cell, @_sum.value);")}
${block_sums|lines("@_part += @_sum.value;")}
//% endmacro

//% macro begin_part()
${block_sums|lines("@.total @_part = 0;")}
//% endmacro

//# `cell` is that of the totals, unless there is a variable of this name.
//% macro end_part(cell)
{% set added %}
//% for sum in block_sums
//% if sum.exact
td_add_exact_double<true>(${sum.name}_digits, TOTAL_CELLS, cell, ${sum.name}_part);
//% else
atomicAdd(${sum.name}_total + cell, (${sum.slot})${sum.name}_part);
//% endif
//% endfor
{% endset %}
{% set comment = "// Add each sum to one cell of its total.\nconst unsigned int cell = " ~ cell ~ ";" if cell else "" %}
${(added if block_sums else "")|paragraph(comment)}
//% endmacro

//# Integers of a row are added up immediately. Floats are stored, and added up by a separate loop.
//% macro begin_lines()
${sums|only("is_float")|lines("@.total @_line[BLOCK_COLUMNS];")}
//% endmacro

//% macro begin_row()
${sums|without("is_float")|lines("@.line @_line = 0;")}
//% endmacro

//% macro store_pair()
${sums|only("is_float")|lines("@_line[c] = @_sum.value;")}
${sums|without("is_float")|lines("@_line += @_sum.value;")}
//% endmacro

//% macro add_line()
${sums|only("is_float")|lines("@_part += @_line[c];")}
//% endmacro

//% macro end_row()
${sums|without("is_float")|lines("@_part += @_line;")}
//% endmacro

//# Those of the columns of a block.
//% macro end_columns()
for (unsigned int c = 0; c < BLOCK_COLUMNS; ++c) {~
    ${sums|lines("@_part += @_sum[c].value;")}
~}
//% endmacro
