//# The extreme of all pairs, with its pair.

//% macro begin_part()
${extremes|lines("@.best @_best;")}
//% endmacro

//% macro end_part()
${extremes|lines("td_keep_extreme@.in_sets(¶@_best.rank(),¶@.set_word@_best.pair(),¶@_cells + CELL_WORDS * (part % TOTAL_CELLS));")|paragraph("// Offer each extreme to one of its cells.")}
//% endmacro
