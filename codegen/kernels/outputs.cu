//# What the outputs of a kernel do in each scope of a way of visiting: in a block, a tile, a window or a column of it, and for a
//# pair. A scope begins with the variables that it needs. Each output has a file. Sweeps name those whose layout is theirs: results of
//# elements, values of pairs, and neighbours that they search.
//% import "outputs/extreme.cu" as extreme
//% import "outputs/histogram.cu" as histogram
//% import "outputs/list.cu" as list
//% import "outputs/neighbours.cu" as neighbours
//% import "outputs/result.cu" as result
//% import "outputs/slot.cu" as slot
//% import "outputs/states.cu" as states
//% import "outputs/sum.cu" as sum
//% import "outputs/valued_list.cu" as valued_list

//# What each thread adds to, the lists, and the queues of neighbours. Threads without a pair have them too, because all threads of a
//# block take part in the reduction.
//% macro begin_block(has_queues=true)
${(sum.begin_block() ~ list.begin_block() ~ (neighbours.begin_block() if has_queues else "") ~ valued_list.begin_block())|paragraph}
//% if extremes
${(sum.cell() ~ extreme.begin_block())|paragraph("// Each extreme starts with what earlier blocks have kept in one of its cells. Blocks at the same time rarely use the same cell.")}
//% elif pair_sums
${sum.cell()|paragraph("// Each pair adds to one cell of a total. Blocks at the same time rarely use the same cell.")}
//% endif
${states.begin_block()|paragraph}
${histogram.begin_block()|paragraph}
//% endmacro

//# Adds the block's parts to the totals.
//% macro end_block()
{% set cell = "" if extremes or pair_sums else sum.cell() %}
{% set of_sums = (cell ~ sum.end_block() if block_sums else "")|under("// Add each sum to one cell of its total. Blocks that end at the same time rarely add to the same cell.") %}
${(of_sums ~ extreme.end_block())|paragraph}
${histogram.end_block()}
${states.end_block()}
//% endmacro

//% macro begin_tile()
${sum.begin_tile()}
//% endmacro

//% macro end_tile()
${sum.end_tile()}
//% endmacro

//# A column of a thread's rows. Few of its pairs go to queues or are better than the best: a test whether any is, and only then which
//# ones.
//% macro begin_column()
${valued_list.begin_column()}
//% endmacro

//% set flag_of_column = "any" if nearest or extremes else ""
//% macro begin_marks()
//% if flag_of_column
    // Few pairs ${"go to queues" if nearest else "are better than the best"}. Test whether any pair of this column ${"does" if nearest else "is"}, and only then which ones.
    bool any = false;
    ${neighbours.begin_column()}
    ${extreme.begin_column()}
//% endif
//% endmacro

//# A pair of the column, whose indices are i and j.
//% macro mark(i, j)
${neighbours.mark()}
${extreme.mark()}
${list.mark()}
${valued_list.mark(i, j)}
//% endmacro

//% macro take_marked(i, j)
//% if flag_of_column
    if (any) {
#pragma unroll
        for (unsigned int r = 0; r < THREAD_ROWS; ++r) {
            ${neighbours.take_marked(i, j)}
            ${extreme.take_marked(i, j)}
        }
    }
//% endif
//% endmacro

//# `first` is the index of the first of the thread's rows, which are 32 apart; the variable `column` counts the columns.
//% macro end_column(first, j, column)
${valued_list.end_column(first, j)}
${end_step(column)}
//% endmacro

//# Some pairs of a thread: a column of its rows, or without a variable that counts them, a single pair.
//% macro end_step(column="")
${sum.end_column(column)}
//% endmacro

//% macro begin_window()
${list.begin_window()}
//% endmacro

//% macro end_window(first, j)
${list.end_window(first, j)}
//% endmacro

//# What a body pushes or offers for a pair.
//% macro begin_pair()
${list.begin_pair()}
${valued_list.begin_pair()}
${neighbours.begin_pair()}
${extreme.begin_pair()}
//% endmacro

//# Takes it, or only marks the pair: see `evaluate`.
//% macro take(i, j, row, column, kept_row, kept_column, flag, bit, is_quick)
${neighbours.take(i, j, row, column, kept_row, kept_column, flag, bit, is_quick)}
${extreme.take(flag, bit)}
//% endmacro

//# Appends a single pair to its list, if it was pushed.
//% macro append(row, column)
{% set i, j = (column, row) if is_exchanged else (row, column) %}
${list.append(i, j)}
${valued_list.append(i, j)}
//% endmacro

//# Before a pair that may be evaluated again, and to take back what it did. `row` and `column` are the thread's parts of results.
//% macro save(row, column)
${sum.save()}
${extreme.save()}
${result.save(row, column)}
//% endmacro
//% macro restore(row, column)
${sum.restore()}
${extreme.restore()}
${result.restore(row, column)}
//% endmacro

//# Of pairs that another thread counts.
//% macro drop()
${(sum.drop() ~ extreme.drop() ~ states.drop())|under("// What the other evaluation of the pair counts is dropped.")}
//% endmacro

//# Other kernels, between rounds or after the kernel.
//% macro merges()
${neighbours.merges()}
//% endmacro
//% macro joins()
${states.joins()}
//% endmacro
