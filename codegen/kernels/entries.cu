//# The sweep `entries`: the pairs of a list, a few for each thread. Adjacent threads read adjacent entries. Elements are read at
//# the pair's indices, so nothing is staged. The host has checked the indices.
//#
//# An entry adds to the results of its two elements by atomics, because any other entry may have the same elements.
//% extends "kernel.cu"
//% from "parts.cu" import added, append, evaluate, folded_pair, parts, values

{% block work %}those of a list{% endblock %}
{% block blocks %}parts of ${side} entries, blocks of ${shape} threads{% endblock %}

//% block pairs

#pragma unroll 1
    for (unsigned int index = 0; index < THREAD_ENTRIES; ++index) {
        const unsigned long long entry = PART_ENTRIES * part + THREADS * index + threadIdx.x;
        if (entry >= entries)
            break;
//% if entry_uses.i
        const unsigned int i = given_i[step * entry];
//% endif
//% if entry_uses.j
        const unsigned int j = given_j[step * entry];
//% endif
//% if feature_parameters
        ${folded_pair()}
//% endif
        ${values()}
        ${parts()}
        ${evaluate("i", "j", "@_all[i]", "@_all[j]")}
        ${append("i", "j")}
//% for slot in slots
        ${slot.memory}[entry] = ${slot.value};
//% endfor
//% for result in row_results
        ${scattered(result, result.name ~ "_row", "i", domain.rows)}
//% endfor
//% for result in column_results
        ${scattered(result, result.name ~ "_col", "j", domain.columns)}
//% endfor
    }
//% endblock

//# Adds an entry's part of an element's result to the element's cells. Many pairs of a neighbour list are just outside of the
//# cutoff, and add nothing.
//% macro scattered(result, part, at, stride)
//% for plane in result.planes
//% if result.adds and not result.exact
if (${part}${plane.member}${result.value} != 0)
//% endif
${added(result, plane, at, part ~ plane.member ~ result.value, stride)}
//% endfor
//% endmacro
