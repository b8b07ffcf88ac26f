//# The sweep `sets`, for pairs within many small sets: each warp visits a run of pairs, in the order of packed memory. The map
//# finds the pair of each lane. Neighbouring lanes read neighbouring elements of the same set, which are in the L1 cache, and
//# store neighbouring values.
//#
//# Warps do not wait for each other.
//% extends "kernel.cu"
//% from "parts.cu" import append, evaluate, gather, parts, values

{% block work %}a run of pairs for each warp{% endblock %}
{% block blocks %}blocks of ${shape} threads{% endblock %}

//% block indices
        const unsigned int i = row + 1, j = col;
//% if uses.set
        const unsigned int set = own.index;
//% endif
//% endblock

//% block pairs
        ${values()}
        ${parts()}
        ${evaluate("i", "j", "@_all[own.first + i]", "@_all[own.first + j]")}
        ${append("i", "j")}
//% for result in row_results
        ${gather(result, result.name ~ "_row", "own.first + i", domain.rows)}
//% endfor
//% for result in column_results
        ${gather(result, result.name ~ "_col", "own.first + j", domain.columns)}
//% endfor
//% for slot in row_slots
        ${slot.memory}[run.begin + pair] = ${slot.value};
//% endfor
//% endblock
