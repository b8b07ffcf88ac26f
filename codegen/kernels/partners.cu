//# The sweep `partners`, for a list that is visited again: its pairs by element. Two or eight adjacent lanes share an element and
//# visit its partners, of which each lane reads a few at a time. So an element's results are added up in registers and stored once,
//# without atomics, and each pair is evaluated twice: once for each of its elements.
//#
//# The partners of an element are in two runs: first those of the pairs in which it is i, then those in which it is j. In the first
//# run the results of j are dropped, in the second one those of i and the pair's part of sums and extremes. The compiler removes
//# code that only computes dropped values.
//% extends "kernel.cu"
//% from "parts.cu" import evaluate, outputs

{% block work %}those of a list, by element{% endblock %}
{% block blocks %}parts of ${side} elements, blocks of ${shape} threads{% endblock %}

//% block pairs

    const unsigned int element = PART_ELEMENTS * (unsigned int)part + threadIdx.x / LANES, lane = threadIdx.x % LANES;
    ${results|lines("@.part @_own;")}
    if (element < elements) {
        ${each|only("is_kept")|lines("const @.type @_own = @_all[element];")}
        ${each|without("is_kept")|lines("const @.type &@_own = @_all[element];")}
        const uint2 end = ends[element];
        // The pairs in which the element is i.
#pragma unroll 1
        for (unsigned int first = starts[element] + lane; first < end.x; first += LANES * AHEAD) {
            ${read("end.x")}
#pragma unroll
            for (unsigned int at = 0; at < AHEAD; ++at) {
                if (first + LANES * at >= end.x)
                    break;
                ${results|lines("@.part @_dropped;")}
                ${evaluate("element", "other[at]", "@_own", "@_all[other[at]]", kept_column="@_other[at]", row_result="@_own", column_result="@_dropped")}
            }
        }
        // The pairs in which it is j.
#pragma unroll 1
        for (unsigned int first = end.x + lane; first < end.y; first += LANES * AHEAD) {
            ${read("end.y")}
#pragma unroll
            for (unsigned int at = 0; at < AHEAD; ++at) {
                if (first + LANES * at >= end.y)
                    break;
                ${results|lines("@.part @_dropped;")}
                ${outputs.drop()}
                ${evaluate("other[at]", "element", "@_all[other[at]]", "@_own", kept_row="@_other[at]", row_result="@_dropped", column_result="@_own")}
            }
        }
    }
    // Add up the parts of the element's lanes.
    ${results|planes|lines("const @.shared @.warps = @.of_lanes<LANES>(@_own@.member@.value);")}
    if (lane == 0 && element < elements) {~
        ${results|only("adds")|planes|lines("@.cells[element] += @.warps;")}
        ${results|without("adds")|planes|lines("@.cells[element] = max(@.cells[element], @.warps);")}
    ~}
//% endblock

//# Some partners of the element and their elements; past the end, the last one again.
//% macro read(stop)
unsigned int other[AHEAD];
#pragma unroll
for (unsigned int at = 0; at < AHEAD; ++at)
    other[at] = partners[min(first + LANES * at, ${stop} - 1)];
${each|only("is_kept")|lines("@.type @_other[AHEAD];\n#pragma unroll\nfor (unsigned int at = 0; at < AHEAD; ++at)\n@_other[at] = @_all[other[at]];")}
//% endmacro
