//# The sweep `entries`: the pairs of a list, a few for each thread. Adjacent threads read adjacent entries. Elements are read at
//# the pair's indices, so nothing is staged. The host has checked the indices.
//#
//# An entry adds to the results of its two elements by atomics, because any other entry may have the same elements.
//% extends "kernel.cu"
//% from "parts.cu" import evaluate, folded_pair, outputs, result, slot

{% block work %}those of a list{% endblock %}
{% block blocks %}parts of ${side} entries, blocks of ${shape} threads{% endblock %}

//% block pairs

#pragma unroll 1
    for (unsigned int index = 0; index < THREAD_ENTRIES; ++index) {
        const unsigned long long entry = PART_ENTRIES * part + THREADS * index + threadIdx.x;
        if (entry >= entries)
            break;
        ${entry_indices}
//% if feature_parameters
        ${folded_pair()}
//% endif
        ${slot.begin_pair()}
        ${result.begin_pair()}
        ${evaluate("i", "j", "@_all[i]", "@_all[j]")}
        ${outputs.append("i", "j")}
        ${slot.store_pair("entry")}
        ${result.end_pair(skips_zeros=true)}
    }
//% endblock
