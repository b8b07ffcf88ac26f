//# The sweep `partners`, for a list that is visited again: its pairs by element. Two or eight adjacent lanes share an element and
//# visit its partners, of which each lane reads a few at a time. So an element's results are added up in registers and stored once,
//# without atomics, and each pair is evaluated twice: once for each of its elements.
//#
//# The partners of an element are in two runs: first those of the pairs in which it is i, then those in which it is j. In the first
//# run the results of j are dropped, in the second one those of i and the pair's part of sums and extremes. The compiler removes
//# code that only computes dropped values.
//% extends "kernel.cu"
//% from "parts.cu" import evaluate

{% block work %}those of a list, by element{% endblock %}
{% block blocks %}parts of ${side} elements, blocks of ${shape} threads{% endblock %}

//% block pairs

    const unsigned int element = PART_ELEMENTS * (unsigned int)part + threadIdx.x / LANES, lane = threadIdx.x % LANES;
//% for result in results
    ${result.part} ${result.name}_own;
//% endfor
    if (element < elements) {
//% for p in each
        const ${p.type} ${"" if p.is_kept else "&"}${p.name}_own = ${p.name}_all[element];
//% endfor
        const uint2 end = ends[element];
        // The pairs in which the element is i.
#pragma unroll 1
        for (unsigned int first = starts[element] + lane; first < end.x; first += LANES * AHEAD) {
            ${read("end.x")}
#pragma unroll
            for (unsigned int at = 0; at < AHEAD; ++at) {
                if (first + LANES * at >= end.x)
                    break;
                ${dropped()}
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
                ${dropped()}
//% for sum in sums
                ${sum.part} ${sum.name}_sum;
//% endfor
//% for extreme in extremes
                ${extreme.best} ${extreme.name}_best;
//% endfor
                ${evaluate("other[at]", "element", "@_all[other[at]]", "@_own", kept_row="@_other[at]", row_result="@_dropped", column_result="@_own")}
            }
        }
    }
    // Add up the parts of the element's lanes.
//% for result in results
//% for plane in result.planes
    const ${result.shared} ${plane.warps} = ${result.of_lanes}<LANES>(${result.name}_own${plane.member}${result.value});
//% endfor
//% endfor
    if (lane == 0 && element < elements) {~
//% for result in results
//% for plane in result.planes
//% if result.adds
        ${plane.cells}[element] += ${plane.warps};
//% else
        ${plane.cells}[element] = max(${plane.cells}[element], ${plane.warps});
//% endif
//% endfor
//% endfor
    ~}
//% endblock

//# The results of a pair's other element.
//% macro dropped()
//% for result in results
${result.part} ${result.name}_dropped;
//% endfor
//% endmacro

//# Some partners of the element and their elements; past the end, the last one again.
//% macro read(stop)
unsigned int other[AHEAD];
#pragma unroll
for (unsigned int at = 0; at < AHEAD; ++at)
    other[at] = partners[min(first + LANES * at, ${stop} - 1)];
//% for p in each if p.is_kept
${p.type} ${p.name}_other[AHEAD];
#pragma unroll
for (unsigned int at = 0; at < AHEAD; ++at)
    ${p.name}_other[at] = ${p.name}_all[other[at]];
//% endfor
//% endmacro
