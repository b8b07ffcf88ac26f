//# Code that the CPU sources share.

//# Adds a part of an element's result to the element's cells. In the added expression `value`, `@` stands for a vector's
//# component as a member (`.x`) and `#` for the component as the end of a name (`_x`). A double is added to an exact sum of
//# floats as two floats. Other results are added by atomics, unless the thread holds the lock of the elements (`has_turn`).
//% macro gathered(result, value, at, stride, is_double, has_turn)
//% set stride = result.stride or stride
//% if result.width
for (unsigned int component = 0; component < ${result.width}; ++component) {~
//% endif
//% for plane in result.planes
//% set words = (result.words ~ "ull * " if result.words > 1 else "(unsigned long long)") if result.width else ""
//% set cells = plane.cells ~ (" + " ~ words ~ "component * " ~ stride if result.width else "")
//% set part = value|replace("@", plane.member)|replace("#", plane.suffix)
//% if result.exact and result.number == "float" and is_double
{
const float high = ${part};
// The two floats together have all bits of the double that matter.
td_add_exact_float(${cells}, ${stride}, ${at}, high);
if (isfinite(high))
td_add_exact_float(${cells}, ${stride}, ${at}, ${part} - high);
}
//% elif result.exact
td_add_exact_${result.number}(${cells}, ${stride}, ${at}, ${part});
//% elif has_turn and result.width
${plane.cells}[${words}component * ${stride} + ${at}] += ${part};
//% elif has_turn and result.adds
${plane.cells}[${at}] += ${part};
//% elif has_turn
${plane.cells}[${at}] = max(${plane.cells}[${at}], ${part});
//% else
${result.atomic}(${cells} + ${at}, ${part});
//% endif
//% endfor
//% if result.width
~}
//% endif
//% endmacro

//# Appends a pair to the lists of its part, if it was pushed.
//% macro listed(i, j)
//% for list in lists
if (${list.name}_pushed.value)
${list.name}_pairs.add(${i}, ${j});
//% endfor
//% for list in valued_lists
if (${list.name}_pushed.is_pushed)
${list.name}_pairs.add(${i}, ${j}, ${list.name}_pushed.value);
//% endfor
//% endmacro

//# The sums of a single pair.
//% macro begin_pair()
//% for sum in sums
${sum.part} ${sum.name}_sum;
//% endfor
//% endmacro

//# Adds them to those of the part, and appends the pair to the lists.
//% macro end_pair(i, j)
//% for sum in pair_sums
td_add_exact_double<true>(${sum.name}_digits, TOTAL_CELLS, cell, ${sum.name}_sum.value);
//% endfor
//% for sum in block_sums
${sum.name}_part += ${sum.name}_sum.value;
//% endfor
${listed(i, j)}
//% endmacro

//# What a call adds up for its part of the pairs.
//% macro begin_part()
//% for sum in block_sums
    ${sum.total} ${sum.name}_part = 0;
//% endfor
//% for result in states_of_all
    ${result.part} ${result.name}_own{${result.name}_start};
//% endfor
//% for extreme in extremes
    ${extreme.best} ${extreme.name}_best;
//% endfor
//% for histogram in histograms
//% if histogram.exact
    const ${histogram.bins} ${histogram.name}_histogram{¶{${histogram.name}_bins},¶${histogram.name}_digits};
//% else
    ${histogram.total} ${histogram.name}_counters[PART_COUNTERS];
    const ${histogram.bins} ${histogram.name}_histogram(¶${histogram.name}_bins,¶PART_COUNTERS,¶${histogram.name}_counters,¶${histogram.name}_totals);
//% endif
//% endfor
//% for list in lists
    td_pair_buffer ${list.name}_pairs{${list.name}_list, ${list.name}_count, ${list.name}_capacity};
//% endfor
//% for list in valued_lists
    td_valued_pair_buffer<${list.type}> ${list.name}_pairs{¶${list.name}_of_i,¶${list.name}_of_j,¶${list.name}_values,¶${list.name}_count,¶${list.name}_capacity};
//% endfor
//% endmacro

//# Adds it to the outputs at the end of the part. `cell` is that of the totals, unless there is a variable of this name.
//% macro end_part(cell="part % TOTAL_CELLS")
//% if block_sums

//% if cell
    // Add each sum to one cell of its total.
    const unsigned int cell = ${cell};
//% endif
//% for sum in block_sums
//% if sum.exact
    td_add_exact_double<true>(${sum.name}_digits, TOTAL_CELLS, cell, ${sum.name}_part);
//% else
    atomicAdd(${sum.name}_total + cell, (${sum.slot})${sum.name}_part);
//% endif
//% endfor
//% endif
//% if lists or valued_lists

//% for list in lists
    ${list.name}_pairs.flush();
//% endfor
//% for list in valued_lists
    ${list.name}_pairs.flush();
//% endfor
//% endif
//% if extremes

    // Offer each extreme to one of its cells.
//% for extreme in extremes
    td_keep_extreme${extreme.in_sets}(¶${extreme.name}_best.rank(),¶${extreme.name ~ "_best.set_word(),¶" if extreme.in_sets else ""}${extreme.name}_best.pair(),¶${extreme.name}_cells + CELL_WORDS * (part % TOTAL_CELLS));
//% endfor
//% endif
//% if block_histograms

//% for histogram in block_histograms
    ${histogram.name}_histogram.flush();
//% endfor
//% endif
//% if states_of_all

    // Keep the states of the part. Another function joins those of all parts.
//% for result in states_of_all
    ${result.name}_parts[part] = ${result.name}_own.state;
//% endfor
//% endif
//% endmacro

//# The functions that join the states of all parts.
//% macro joins()
//% for result in states_of_all

// After a call for each part: joins their states to the total, in their order, and resets them.
extern "C" void ${name}_join_${result.name}(¶const unsigned int part,¶const unsigned int count,¶${result.type} *const ${result.name}_parts,¶${result.type} *const ${result.name}_total,¶const ${result.type} ${result.name}_start)
{
    for (unsigned int k = part; k < count; ++k) {
        *${result.name}_total = td_join(*${result.name}_total, ${result.name}_parts[k]);
        ${result.name}_parts[k] = ${result.name}_start;
    }
}
//% endfor
//% endmacro
