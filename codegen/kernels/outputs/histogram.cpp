//# Histograms: a part has counters of its own.

//% macro begin_part()
//% for histogram in histograms
//% if histogram.exact
const ${histogram.bins} ${histogram.name}_histogram{¶{${histogram.name}_bins},¶${histogram.name}_digits};
//% else
${histogram.total} ${histogram.name}_counters[PART_COUNTERS];
const ${histogram.bins} ${histogram.name}_histogram(¶${histogram.name}_bins,¶PART_COUNTERS,¶${histogram.name}_counters,¶${histogram.name}_totals);
//% endif
//% endfor
//% endmacro

//% macro end_part()
${block_histograms|lines("@_histogram.flush();")|paragraph}
//% endmacro
