//# The CPU source of kernels over many sets: a call visits some runs of pairs, along the rows of one set after another.
//% from "parts.cu" import evaluate, values
//% from "parts.cpp" import extremes_and_bins, gathered, kept_extremes_and_bins
// ${name}: ${domain.pairs}, in plain loops for a CPU.
//% for option in loops_options
// C++ option: ${option}
//% endfor
// A call for some runs of pairs.
#include <helpers>
//% include "given.cu"

[[gnu::always_inline]] static inline void ${name}_pair(¶${pair_parameters})
{
#include <body>
}

//# A pair: calls its function and stores its results.
//% macro pair()
//% if uses.j or column_results or valued_lists
const unsigned int j = col + c;
//% endif
${values()}
//% for sum in sums
${sum.part} ${sum.name}_sum;
//% endfor
//% for result in column_results
${result.part} ${result.name}_col;
//% endfor
${evaluate("i", "j", "@_row", "@_cols[c]", row_result="@_row", column_result="@_col")}
//% for slot in slots
${slot.name}_line[c] = ${slot.value};
//% endfor
//% for sum in sums
${sum.name}_part += ${sum.name}_sum.value;
//% endfor
//% for result in column_results
${gathered(result, result.name ~ "_col@" ~ result.value, "own.first + j", domain.columns, false, false)}
//% endfor
//% for list in valued_lists
if (${list.name}_pushed.is_pushed)
${list.name}_pairs.add(i, j, ${list.name}_pushed.value);
//% endfor
//% endmacro

//# The pairs of a run within one set.
//% macro pairs_of_set()
unsigned int row, col;
td_find_pair(lambda - own.start, row, col);
//% if uses.set
const unsigned int set = own.index;
//% endif
for (unsigned int i = row + 1; lambda < stop; ++i) {
    const unsigned int count = min((unsigned long long)(i - col), stop - lambda);
//% for p in row_elements
    const ${p.type} &${p.name}_row = ${p.name}_all[own.first + i];
    const ${p.type} *const ${p.name}_cols = ${p.name}_all + own.first + col;
//% endfor
//% for slot in row_slots
    ${slot.type} *const ${slot.name}_line = ${slot.memory} + lambda;
//% endfor
//% for result in row_results
    ${result.part} ${result.name}_row;
//% endfor
    for (unsigned int c = 0; c < count; ++c) {
        ${pair()}
    }
//% for result in row_results
    ${gathered(result, result.name ~ "_row@" ~ result.value, "own.first + i", domain.rows, false, false)}
//% endfor
    lambda += count;
    col = 0;
}
//% endmacro

extern "C" void ${name}_kernel(¶const unsigned int part,¶${parameters})
{
#include <constants>

//% for sum in sums
    ${sum.total} ${sum.name}_part = 0;
//% endfor
    ${extremes_and_bins()}
//% for list in valued_lists
    td_valued_pair_buffer<${list.type}> ${list.name}_pairs{¶${list.name}_of_i,¶${list.name}_of_j,¶${list.name}_values,¶${list.name}_count,¶${list.name}_capacity};
//% endfor
    for (unsigned int r = 0; r < height; ++r) {
        const td_run run = runs[height * part + r];
        unsigned long long lambda = run.begin;
        const unsigned long long end = run.begin + run.pairs;
        for (const td_set *next = sets + run.set; lambda < end;) {
            const td_set own = *next++;
            const unsigned long long stop = min(next->start, end);
            ${pairs_of_set()}
        }
    }
//% if sums

    // Add each sum to one cell of its total.
    const unsigned int cell = part % TOTAL_CELLS;
//% for sum in sums
//% if sum.exact
    td_add_exact_double(${sum.name}_digits, TOTAL_CELLS, cell, ${sum.name}_part);
//% else
    atomicAdd(${sum.name}_total + cell, (${sum.slot})${sum.name}_part);
//% endif
//% endfor
//% endif
//% if valued_lists

//% for list in valued_lists
    ${list.name}_pairs.flush();
//% endfor
//% endif
    ${kept_extremes_and_bins()}
}
