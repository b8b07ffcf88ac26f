//# The extreme of all pairs, with its pair.

//# It starts with what earlier blocks have kept in one of its cells.
//% macro begin_block()
${extremes|lines("@.best @_best(@_cells + CELL_WORDS * cell);")}
//% endmacro

//% macro begin_pair()
${extremes|lines("@.offered @_offered;")}
//% endmacro

//% macro take(flag, bit)
//% for extreme in extremes
{%- set is_better = extreme.name ~ "_offered.is_for(" ~ extreme.name ~ "_best)" %}
//% if flag
${flag} |= ${"(unsigned int)" ~ is_better ~ " << " ~ bit if bit else is_better};
//% else
if (${is_better})
${extreme.name}_best.take(${extreme.name}_offered.value, ${extreme.set}${"j, i" if is_exchanged else "i, j"});
//% endif
//% endfor
//% endmacro

//# The values of a column's pairs, one for each row of the thread.
//% macro begin_column()
${extremes|lines("@.offered @_offers[THREAD_ROWS];")}
//% endmacro

//% macro mark()
${extremes|lines("@_offers[r] = @_offered;")}
//% endmacro

//% macro take_marked(i, j)
//% for extreme in extremes
if (${extreme.name}_offers[r].is_for(${extreme.name}_best))
${extreme.name}_best.take(¶${extreme.name}_offers[r].value,¶${extreme.set|replace(" ", "¶")}${i},¶${j});
//% endfor
//% endmacro

//% macro end_block()
${extremes|lines("td_keep_extreme_of_warp@.in_sets(@_best, @_cells + CELL_WORDS * cell);")|under("// Keep each extreme in its cell.")}
//% endmacro

//# Before a pair that may be evaluated again, and to take back what it offered.
//% macro save()
${extremes|lines("const @.best @_best_before = @_best;")}
//% endmacro
//% macro restore()
${extremes|lines("@_best = @_best_before;")}
//% endmacro

//# Of pairs whose part of it is dropped.
//% macro drop()
${extremes|lines("@.best @_best;")}
//% endmacro
