//# Lists of pairs with values.

//% macro begin_block()
${valued_lists|lines("const td_valued_pair_list<@.type> @_pairs{¶@_of_i,¶@_of_j,¶@_values,¶@_count,¶@_capacity};")}
//% endmacro

//% macro begin_pair()
${valued_lists|lines("@.pushed @_pushed@.pushed_start;")}
//% endmacro

//# Appends a pair with its value, if it was pushed, together with the pairs of the other active lanes of the warp. Each call has its
//# own mask, which does not contain lanes with another list.
//% macro append(i, j, of=none)
//% for list in of or valued_lists
if (${list.name}_pushed.is_pushed)
${list.name}_pairs.push(__activemask(), ${i}, ${j}, ${list.name}_pushed.value);
//% endfor
//% endmacro

//# Small values of a column's pairs are kept in registers, so a pair that is not listed costs almost nothing.
//% macro begin_column()
${valued_lists|only("is_small")|lines("td_valued_marks<@.type, THREAD_ROWS> @_marks;")}
//% endmacro

//% macro mark(i, j)
//% for list in valued_lists
//% if list.is_small
${list.name}_marks.mark(r, ${list.name}_pushed);
//% else
${append(i, j, [list])}
//% endif
//% endfor
//% endmacro

//% macro end_column(i, j)
${valued_lists|only("is_small")|lines("td_append_valued(@_pairs, @_marks, " ~ i ~ ", 32, " ~ j ~ ");")}
//% endmacro
