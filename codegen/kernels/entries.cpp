//# The CPU source for the pairs of a list. A call visits a part of the entries, one after another.
//% from "parts.cu" import evaluate, parts, values
//% from "parts.cpp" import extremes_and_bins, gathered, kept_extremes_and_bins
//# Folds the features of the pair.
//% macro folded()
//% if feature_parameters
//% for p in row_features
const ${p.type} *const ${p.name}_row = (const ${p.type} *)(${p.name}_all + (unsigned long long)i * words);
//% endfor
//% for p in column_features
const ${p.type} *const ${p.name}_col = (const ${p.type} *)(${p.name}_all + (unsigned long long)j * words);
//% endfor
//% for fold in folds
${fold.type} ${fold.name}_fold${" = " ~ fold.start if fold.start else "{}"};
//% endfor
for (unsigned int k = 0; k < features; ++k)
    ${name}_feature(¶${feature_arguments});
//% endif
//% endmacro
// ${name}: ${domain.pairs}${domain.which}, those of a list, in a plain loop for a CPU.
//% for option in loops_options
// C++ option: ${option}
//% endfor
// A call for each part of the list.
#include <helpers>
//% include "prelude.cu"

//% if feature_parameters
[[gnu::always_inline]] static inline void ${name}_feature(¶${feature_parameters})
{
#include <feature>
}

//% endif
[[gnu::always_inline]] static inline void ${name}_pair(¶${pair_parameters})
{
#include <body>
}

extern "C" void ${name}_kernel(¶const unsigned int part,¶${parameters})
{
#include <constants>

    const unsigned long long begin = (unsigned long long)part * height;
    const unsigned long long end = begin + height < entries ? begin + height : entries;
//% for sum in sums
    ${sum.total} ${sum.name}_part = 0;
//% endfor
    ${extremes_and_bins()}
//% for list in lists
    td_pair_buffer ${list.name}_pairs{${list.name}_list, ${list.name}_count, ${list.name}_capacity};
//% endfor
//% for list in valued_lists
    td_valued_pair_buffer<${list.type}> ${list.name}_pairs{¶${list.name}_of_i,¶${list.name}_of_j,¶${list.name}_values,¶${list.name}_count,¶${list.name}_capacity};
//% endfor
//% if feature_parameters
    // The words of 16 bytes of an element.
    const unsigned int words = (features * sizeof(${feature_type}) + 15) / 16;
//% endif
    for (unsigned long long entry = begin; entry < end; ++entry) {
//% if entry_uses.i
        const unsigned int i = given_i[step * entry];
//% endif
//% if entry_uses.j
        const unsigned int j = given_j[step * entry];
//% endif
        ${folded()}
        ${values()}
//% for sum in sums
        ${sum.part} ${sum.name}_sum;
//% endfor
        ${parts()}
        ${evaluate("i", "j", "@_all[i]", "@_all[j]")}
//% for sum in sums
        ${sum.name}_part += ${sum.name}_sum.value;
//% endfor
//% for list in lists
        if (${list.name}_pushed.value)
            ${list.name}_pairs.add(i, j);
//% endfor
//% for list in valued_lists
        if (${list.name}_pushed.is_pushed)
            ${list.name}_pairs.add(i, j, ${list.name}_pushed.value);
//% endfor
//% for slot in slots
        ${slot.memory}[entry] = ${slot.value};
//% endfor
//% for result in row_results
        ${gathered(result, result.name ~ "_row@" ~ result.value, "i", domain.rows, false, false)}
//% endfor
//% for result in column_results
        ${gathered(result, result.name ~ "_col@" ~ result.value, "j", domain.columns, false, false)}
//% endfor
    }
//% if sums

    // Add each sum to one cell of its total.
    const unsigned int cell = part % TOTAL_CELLS;
//% for sum in sums
//% if sum.exact
    td_add_exact_double<true>(${sum.name}_digits, TOTAL_CELLS, cell, ${sum.name}_part);
//% else
    atomicAdd(${sum.name}_total + cell, (${sum.slot})${sum.name}_part);
//% endif
//% endfor
//% endif
//% for list in lists
    ${list.name}_pairs.flush();
//% endfor
//% for list in valued_lists
    ${list.name}_pairs.flush();
//% endfor
    ${kept_extremes_and_bins()}
}
