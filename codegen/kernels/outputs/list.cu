//# Lists of pairs without values.

//% macro begin_block()
${lists|lines("const td_pair_list @_pairs{@_list, @_count, @_capacity};")}
//% endmacro

//% macro begin_pair()
${lists|lines("td_pushed @_pushed;")}
//% endmacro

//# Appends a single pair, if it was pushed.
//% macro append(i, j)
//% for list in lists
if (${list.name}_pushed.value)
${list.name}_pairs.push(${i}, ${j});
//% endfor
//% endmacro

//# Appending each pair immediately would make the threads of a warp diverge. So pushed pairs are marked in bits, and
//# appended together for a window of columns.
//% macro begin_window()
${lists|lines("unsigned int @_marks[THREAD_ROWS] = {};")}
//% endmacro

//% macro mark()
//% for list in lists
if (${list.name}_pushed.value)
${list.name}_marks[r] |= 1u << (c - begin);
//% endfor
//% endmacro

//% macro end_window(i, j)
${lists|lines("td_append(@_pairs, @_marks, " ~ i ~ ", 32, " ~ j ~ ");")}
//% endmacro
