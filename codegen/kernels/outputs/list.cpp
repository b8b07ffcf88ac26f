//# Lists of pairs without values.

//% macro begin_part()
${lists|lines("td_pair_buffer @_pairs{@_list, @_count, @_capacity};")}
//% endmacro

//# Appends a single pair, if it was pushed.
//% macro append(i, j)
//% for list in lists
if (${list.name}_pushed.value)
${list.name}_pairs.add(${i}, ${j});
//% endfor
//% endmacro

//# The pairs of a row are marked, and appended together.
//% macro begin_lines()
${lists|lines("unsigned char @_marks[BLOCK_COLUMNS + 8];")}
//% endmacro

//% macro store_pair()
${lists|lines("@_marks[c] = @_pushed.value;")}
//% endmacro

//% macro end_row()
${lists|lines("@_pairs.push(@_marks, width, i, begin);")}
//% endmacro

//% macro end_part()
${lists|lines("@_pairs.flush();")}
//% endmacro
