//# The CPU source of kernels over many sets: a call visits some runs of pairs, along the rows of one set after another.
//% extends "kernel.cpp"
//% from "parts.cu" import evaluate, slot
//% import "outputs.cpp" as outputs
//% from "over.cu" import index
//% set result = outputs.result

{% block call %}some runs of pairs{% endblock %}

//# The indices of a pair's elements among those of all sets.
//% set row_at = domain.set_row ~ " + i"
//% set column_at = domain.set_column ~ " + j"

//# A pair: calls its function and stores its results. Exact sums of rows get each pair by itself, as on a GPU.
//% macro pair()
${index("j", "col + c", uses.j or keeps_pairs or column_results)}
${slot.begin_pair()}
${outputs.begin_pair()}
${row_results|only("exact")|lines("@.part @_row;")}
${column_results|lines("@.part @_col;")}
${evaluate("i", "j", "@_row", "@_cols[c]", row_result="@_row", column_result="@_col")}
${slots|lines("@_line[c] = @.value;")}
${result.end_pair(row_at, column_at, row_results|only("exact"))}
${outputs.end_pair("i", "j")}
//% endmacro

//# The pairs of a run within one set.
//% macro pairs_of_set()
//% if not domain.is_rectangle
// A set may have up to 2^63 pairs. The root of a double is at most one row off.
const unsigned long long first = lambda - own.start;
unsigned long long row = (unsigned long long)(sqrt(0.25 + 2 * (double)first) - 0.5);
row -= row * (row + 1) / 2 > first;
row += (row + 1) * (row + 2) / 2 <= first;
unsigned int col = (unsigned int)(first - row * (row + 1) / 2);
//% endif
${domain.set_index}
for (unsigned int i = ${"row" if domain.is_rectangle else "(unsigned int)row + 1"}; lambda < stop; ++i) {
    const unsigned int count = min((unsigned long long)(${"own.columns" if domain.is_rectangle else "i"} - col), stop - lambda);
    ${row_elements|lines("const @.type &@_row = @_all[" ~ row_at ~ "];")}
    ${column_elements|lines("const @.type *const @_cols = @_all + " ~ domain.set_column ~ " + col;")}
    ${row_slots|lines("@.type *const @_line = @.memory + lambda;")}
    ${tile_row_results|lines("@.part @_row;")}
    for (unsigned int c = 0; c < count; ++c) {
        ${pair()}
    }
    ${result.gather(tile_row_results, "@_row@.member@.value", row_at, domain.rows)}
    lambda += count;
    col = 0;
}
//% endmacro

//% block pairs
    ${outputs.begin_part()}
    for (unsigned int r = 0; r < height; ++r) {
        const td_run run = runs[height * part + r];
//% if domain.is_rectangle
        unsigned long long lambda = (unsigned long long)RUN * (height * part + r);
        const unsigned long long end = lambda + run.pairs;
        unsigned int row = run.row, col = run.col; // of the run's first pair in the set
//% else
        unsigned long long lambda = run.begin;
        const unsigned long long end = run.begin + run.pairs;
//% endif
        for (const td_set *next = sets + run.set; lambda < end;) {
            const td_set own = *next++;
            const unsigned long long stop = min(next->start, end);
            ${pairs_of_set()}
//% if domain.is_rectangle
            row = 0;
//% endif
        }
    }
    ${outputs.end_part()}
//% endblock
