//# The sweep `sets`, for pairs within many small sets, triangles or rectangles: each warp visits a run of pairs, in the order of
//# packed memory or of matrices. The map finds the pair of each lane. Neighbouring lanes read neighbouring elements of the same
//# set, which are in the L1 cache, and store neighbouring values.
//#
//# Warps do not wait for each other.
//% extends "kernel.cu"
//% from "parts.cu" import outputs, single_pair

{% block work %}a run of pairs for each warp{% endblock %}
{% block blocks %}blocks of ${shape} threads{% endblock %}

//% block indices
//% if not domain.is_rectangle
        const unsigned int i = row + 1, j = col;
//% endif
        ${domain.set_index}
//% endblock

//% block pairs
//# The indices of the pair's elements among those of all sets.
//% set row, column = domain.set_row ~ " + i", domain.set_column ~ " + j"
        ${single_pair("@_all[" ~ row ~ "]", "@_all[" ~ column ~ "]", row, column, ("begin" if domain.is_rectangle else "run.begin") ~ " + pair")}
//% endblock
