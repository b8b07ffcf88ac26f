//# Histograms: those with counters of a block add them to the totals at its end.

//% macro begin_block()
//% for histogram in histograms
//% if histogram.exact
const ${histogram.bins} ${histogram.name}_histogram{¶{${histogram.name}_bins},¶${histogram.name}_digits};
//% elif histogram.is_in_block
// The block's counters, of each bin and of the pairs outside of all bins.
__shared__ ${histogram.counter} ${histogram.name}_counters[${histogram.counters}];
const ${histogram.bins} ${histogram.name}_histogram(¶${histogram.name}_bins,¶${histogram.name}_bins < ${histogram.counters},¶${histogram.name}_counters,¶${histogram.name}_totals);
${histogram.name}_histogram.clear();
//% else
const ${histogram.bins} ${histogram.name}_histogram(¶${histogram.name}_bins,¶false,¶nullptr,¶${histogram.name}_totals);
//% endif
//% endfor
${"__syncthreads();" if block_histograms else ""}
//% endmacro

//% macro end_block()
${block_histograms|lines("@_histogram.flush();")|paragraph("__syncthreads();")}
//% endmacro
