//# Lists of pairs with values.

//% macro begin_part()
${valued_lists|lines("td_valued_pair_buffer<@.type> @_pairs{¶@_of_i,¶@_of_j,¶@_values,¶@_count,¶@_capacity};")}
//% endmacro

//# Appends a single pair, if it was pushed.
//% macro append(i, j)
//% for list in valued_lists
if (${list.name}_pushed.is_pushed)
${list.name}_pairs.add(${i}, ${j}, ${list.name}_pushed.value);
//% endfor
//% endmacro

//# The pairs of a row with small values are marked, and appended together.
//% macro begin_lines()
${valued_lists|only("is_small")|lines("unsigned char @_marks[BLOCK_COLUMNS + 8];\n@.type @_line[BLOCK_COLUMNS];")}
//% endmacro

//% macro store_pair()
//% for list in valued_lists
//% if list.is_small
${list.name}_marks[c] = ${list.name}_pushed.is_pushed;
${list.name}_line[c] = ${list.name}_pushed.value;
//% else
if (${list.name}_pushed.is_pushed)
${list.name}_pairs.add(i, begin + c, ${list.name}_pushed.value);
//% endif
//% endfor
//% endmacro

//% macro end_row()
${valued_lists|only("is_small")|lines("@_pairs.push(@_marks, @_line, width, i, begin);")}
//% endmacro

//% macro end_part()
${valued_lists|lines("@_pairs.flush();")}
//% endmacro
