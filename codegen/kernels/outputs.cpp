//# What the outputs of a kernel do in each scope of the CPU's loops: in a part of the pairs, which is a call, a block of columns, a
//# row of it, and for a pair. A scope begins with the variables that it needs. Each output has a file.
//% import "outputs/extreme.cpp" as extreme
//% import "outputs/histogram.cpp" as histogram
//% import "outputs/list.cpp" as list
//% import "outputs/neighbours.cpp" as neighbours
//% import "outputs/result.cpp" as result
//% import "outputs/states.cpp" as states
//% import "outputs/sum.cpp" as sum
//% import "outputs/valued_list.cpp" as valued_list

//# What a pair adds to, or a column of a block.
//% macro begin_pair(count="")
${sum.begin_pair(count)}
//% endmacro

//# Adds the sums of a pair to those of the part, and appends the pair to the lists.
//% macro end_pair(i, j)
${sum.end_pair()}
${append(i, j)}
//% endmacro

//# Appends a pair to the lists of its part, if it was pushed.
//% macro append(i, j)
${list.append(i, j)}
${valued_list.append(i, j)}
//% endmacro

//# Of a pair that is counted elsewhere.
//% macro drop()
${(begin_pair() ~ extremes|lines("@.best @_best;") ~ states_of_all|lines("@.part @_own{@_start};"))|under("// What the other evaluation of the pair counts is dropped.")}
//% endmacro

//# What a call adds up for its part of the pairs.
//% macro begin_part()
    ${sum.begin_part()}
    ${states.begin_part()}
    ${extreme.begin_part()}
    ${histogram.begin_part()}
    ${list.begin_part()}
    ${valued_list.begin_part()}
//% endmacro

//# Adds it to the outputs at the end of the part. `cell` is that of the totals, unless there is a variable of this name.
//% macro end_part(cell="part % TOTAL_CELLS")
    ${sum.end_part(cell)}
    ${(list.end_part() ~ valued_list.end_part())|paragraph}
    ${extreme.end_part()}
    ${histogram.end_part()}
    ${states.end_part()}
//% endmacro

//# In loops that a compiler vectorises: what the columns of a row have, beside what the part has.
//% macro begin_lines()
    ${sum.begin_lines()}
    ${result.begin_lines()}
    ${neighbours.begin_lines()}
    ${begin_part()}
    ${list.begin_lines()}
    ${valued_list.begin_lines()}
//% endmacro

//% macro begin_block()
    ${neighbours.begin_block()}
    ${result.begin_block()}
//% endmacro

//% macro begin_row()
    ${sum.begin_row()}
    ${result.begin_row()}
    ${neighbours.begin_row()}
//% endmacro

//% macro begin_pair_of_row()
    ${begin_pair()}
    ${result.begin_pair_of_row()}
//% endmacro

//# Stores what a pair of the row has, for the loops after it.
//% macro store_pair()
    ${sum.store_pair()}
    ${result.store_pair()}
    ${list.store_pair()}
    ${valued_list.store_pair()}
    ${neighbours.store_pair()}
//% endmacro

//% macro end_row()
    ${neighbours.end_row()}
//% if reduced
    ${result.begin_sums_of_line()}
#pragma omp simd reduction(+ : ${reduced})
    for (unsigned int c = 0; c < width; ++c) {~
        ${sum.add_line()}
        ${result.add_line()}
    ~}
//% endif
    ${sum.end_row()}
    ${result.end_row()}
    ${list.end_row()}
    ${valued_list.end_row()}
//% endmacro

//# Other functions, after the kernel.
//% macro joins()
${states.joins()}
//% endmacro
