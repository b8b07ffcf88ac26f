//# The sum of all pairs, in cells that blocks at the same time rarely share.

//% macro cell()
const unsigned int cell = (blockIdx.y * gridDim.x + blockIdx.x) % TOTAL_CELLS;
//% endmacro

//% macro begin_block()
${block_sums|lines("@.part @_sum;")}
//% endmacro

//# A sum to which each pair adds by itself.
//% macro begin_pair()
${pair_sums|lines("@.part @_sum;")}
//% endmacro
//% macro end_pair()
${pair_sums|lines("td_add_exact_double<true>(@_digits, TOTAL_CELLS, cell, @.result);")}
//% endmacro

//# Counts of a tile, or partial sums of a few columns of it, before they are added to the thread's sums.
//% macro begin_tile()
${tile_sums|lines("@.added_type @.added;")|paragraph}
//% endmacro

//% macro end_tile()
${tile_sums|only("is_tally")|lines("@_sum += @_tally.value;")}
//% endmacro

//# After every `most` columns, which the variable `column` counts. Without it, after each column.
//% macro end_column(column="")
//% for sum in tile_sums|without("is_tally")
//% if sum.most > 1 and column
if (${column} % ${sum.most} == ${sum.most - 1})
//% endif
${sum.name}_sum += ${sum.name}_partial.take();
//% endfor
//% endmacro

//% macro end_block()
//% for sum in block_sums
//% if sum.is_of_pairs
td_add_exact_double<true>(${sum.name}_digits, TOTAL_CELLS, cell, ${sum.result});
//% elif sum.exact
if (const double total = td_warp_total(${sum.result}); ${"threadIdx.x" if adds_by_warp else "(threadIdx.y * WIDTH + threadIdx.x) % 32"} == 0)
td_add_exact_double<true>(${sum.name}_digits, TOTAL_CELLS, cell, total);
//% elif adds_by_warp
td_add_warp(${sum.result}, ${sum.name}_total + cell);
//% else
__shared__ ${sum.total} ${sum.name}_warps[WARPS];
td_add_block(${sum.result}, ${sum.name}_warps, ${sum.name}_total + cell);
//% endif
//% endfor
//% endmacro

//# Before a pair that may be evaluated again, and to take back what it added.
//% macro save()
${sums|lines("const @.part @_sum_before = @_sum;")}
//% endmacro
//% macro restore()
${sums|lines("@_sum = @_sum_before;")}
//% endmacro

//# Of pairs whose part of it is dropped.
//% macro drop()
${sums|lines("@.part @_sum;")}
//% endmacro
