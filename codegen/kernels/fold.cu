//# The sweep that folds: for elements with features, as many as a launch says. Each thread keeps the folds of some pairs in
//# registers, and all threads of a block go along the features together, chunk by chunk.
//#
//# A chunk is 64 bytes of each element of the tile's rows and columns, in shared memory; the next one is copied there
//# while this one is folded. A thread has the pairs of some rows with some columns, so that a feature that it has read
//# serves many pairs. After the last feature the folds go to shared memory, which no chunk needs any more, some rows at
//# a time. From there each warp takes the pairs of a row: neighbouring threads have neighbouring pairs, whose values they
//# store side by side, and the pair function stands in the text once.
//#
//# The order of a kernel: helpers, the functions of a feature and of a pair, signature, the map's prologue (kernel.cu);
//# stage and pairs (here); the flush of the sums (kernel.cu). What several sweeps share, such as the call of the pair
//# function: parts.cu.
//% extends "kernel.cu"
//% from "parts.cu" import added, and_aligned, append, evaluate, gather, over, values

//% set has_groups = group > 1
//# A thread's pairs of a row, one after the other.
//% set turns = side // 32
//% set of_turn = "[turn]" if turns > 1 else ""
//% set start = domain.row_start("i") if not squares else "(unsigned long long)i * n"

{% block work %}each thread the folds of ${rows} x ${rows} pairs of a tile{% endblock %}

//% block indices

    // The threads are a square of 16 x 16 over the tile, in which a warp has 4 x 8 places: a thread has the pairs of
    // ${rows} rows with ${rows} columns, each 16 apart.
    const unsigned int down = 4 * (threadIdx.y / 2) + threadIdx.x / 8;
    const unsigned int across = 8 * (threadIdx.y % 2) + threadIdx.x % 8;
//% endblock

//% block stage

    // Two chunks of features: one is folded while the next is on its way. In the end the folds take their place. Between
    // the chunks of two elements are 16 bytes, so that the same feature of eight of them is in different banks.
    __shared__ union {
        struct {
//% for p in row_features
            td_few<${p.type}, ${few}> ${p.name}_rows[2][${side}][${pitch}];
//% endfor
//% for p in column_features
            td_few<${p.type}, ${few}> ${p.name}_cols[2][${side}][${pitch}];
//% endfor
        } chunks;
        struct {
//% for fold in folds
            ${fold.type} ${fold.name}[${lines}][${line}];
//% endfor
//% for slot in squares
            ${slot.type} ${slot.name}[${lines}][${line}];
//% endfor
        } folded;
    } shared;

    // Copies the chunk that begins with feature `first`, in words of 16 bytes. Past the last element the last one is read
    // instead, and has no pairs.
    const unsigned int words = features / ${word} + (features % ${word} > 0);
    const auto stage = [&](const unsigned int first) {
        ${over(side * words, copies())}
    };
//% endblock

//# What a thread copies of word k of the tile's chunks.
//% macro copies()
            const unsigned int line = k / ${words}, word = k % ${words};
            if (first / ${word} + word < words) {
//% for p in row_features
                td_copy(&shared.chunks.${p.name}_rows[first / ${chunk} % 2][line][${place_of_word()}],¶${p.name}_all + (unsigned long long)min(row * ${side} + line, ${domain.rows} - 1) * words + first / ${word} + word);
//% endfor
//% for p in column_features
                td_copy(&shared.chunks.${p.name}_cols[first / ${chunk} % 2][line][${place_of_word()}],¶${p.name}_all + (unsigned long long)min(col * ${side} + line, ${domain.columns} - 1) * words + first / ${word} + word);
//% endfor
            }
//% endmacro

{% macro place_of_word() %}${"word" if word == few else (word // few) ~ " * word"}{% endmacro %}

//# One call for a feature of a pair; `row` and `column` follow the names of the parameters with features.
{% macro term(k, row, after_row, column, after_column) -%}
${name}_feature(¶
{%- for argument in feature_arguments -%}
${"" if loop.first else ",¶"}${argument|replace("@r", row)|replace("@R", after_row)|replace("@c", column)|replace("@C", after_column)|replace("@k", k)|replace("@f", "_fold[r][c]")}
{%- endfor -%}
);
{%- endmacro %}

//% block pairs

//% for fold in folds
    ${fold.type} ${fold.name}_fold[${rows}][${rows}]${"" if fold.start else " = {}"};
//% endfor
{% set starts %}
//% for fold in folds if fold.start
            ${fold.name}_fold[r][c] = ${fold.start};
//% endfor
{% endset %}
//% if starts
#pragma unroll
    for (unsigned int r = 0; r < ${rows}; ++r) {~
#pragma unroll
        for (unsigned int c = 0; c < ${rows}; ++c) {~
            ${starts}
        ~}
    ~}
//% endif

    stage(0);
    for (unsigned int first = 0; first < features; first += ${chunk}) {
        // The chunk is there once every thread's copies are; and the one before it has been folded by all threads.
        td_copied();
        __syncthreads();
        if (features - first > ${chunk})
            stage(first + ${chunk});
        const unsigned int buffer = first / ${chunk} % 2;
        const unsigned int count = min(features - first, ${chunk}u);
#pragma unroll 1
        for (unsigned int step = 0; step < count${" / " ~ few if few > 1 else ""}; ++step) {
//% for p in row_features
            td_few<${p.type}, ${few}> ${p.name}_row[${rows}];
//% endfor
#pragma unroll
            for (unsigned int r = 0; r < ${rows}; ++r) {~
//% for p in row_features
                ${p.name}_row[r] = shared.chunks.${p.name}_rows[buffer][down + 16 * r][step];
//% endfor
            ~}
#pragma unroll
            for (unsigned int c = 0; c < ${rows}; ++c) {
//% for p in column_features
                const td_few<${p.type}, ${few}> ${p.name}_col = shared.chunks.${p.name}_cols[buffer][across + 16 * c][step];
//% endfor
#pragma unroll
                for (unsigned int k = 0; k < ${few}; ++k) {~
#pragma unroll
                    for (unsigned int r = 0; r < ${rows}; ++r) {~
                        ${term("first + " ~ (few ~ " * " if few > 1 else "") ~ "step + k", "", "_row[r].value[k]", "", "_col.value[k]")}
                    ~}
                ~}
            }
        }
//% if few > 1
        // The features after the last ${few}.
#pragma unroll 1
        for (unsigned int k = count - count % ${few}; k < count; ++k) {
#pragma unroll
            for (unsigned int r = 0; r < ${rows}; ++r) {~
#pragma unroll
                for (unsigned int c = 0; c < ${rows}; ++c) {~
                    ${term("first + k", "shared.chunks.", "_rows" ~ at("down + 16 * r"), "shared.chunks.", "_cols" ~ at("across + 16 * c"))}
                ~}
            ~}
        }
//% endif
    }

    // The pairs, ${lines} rows of them at a time: the folds go to shared memory, and each warp takes whole rows.
    const unsigned int begin = col * ${side};
//% for result in column_results
    ${result.part} ${result.name}_col${"[" ~ turns ~ "]" if turns > 1 else ""};
//% endfor
#pragma unroll 1
    for (unsigned int group = 0; group < ${rows}; ++group) {
        __syncthreads();
//% if has_groups
        // A row's pairs are moved to where their slots begin among vectors of ${group}.
        const unsigned int i = row * ${side} + ${lines} * group + down;
        const unsigned int place = across + (${start} + begin) % ${group};
//% endif
        // Registers cannot be indexed at run time.
#pragma unroll
        for (unsigned int r = 0; r < ${rows}; ++r) {
            if (r == group) {
#pragma unroll
                for (unsigned int c = 0; c < ${rows}; ++c) {~
//% for fold in folds
                    shared.folded.${fold.name}[down][${"place" if has_groups else "across"} + 16 * c] = ${fold.name}_fold[r][c];
//% endfor
                ~}
            }
        }
        __syncthreads();
        for (unsigned int line = threadIdx.y; line < ${lines}; line += ${height}) {
            const unsigned int i = row * ${side} + ${lines} * group + line;
            if (${domain.has_row("i")}) {
                ${pairs_of_row()}
            }
        }
//% if squares

        // The half above the diagonal: ${lines} rows are ${lines} neighbours in each column.
        __syncthreads();
        ${over(lines * side, values_above())}
//% endif
    }
//% if column_results

    // Add the results of the thread's columns to the elements'.
    ${over_turns(add_columns())}
//% endif
//% endblock

//# The value of a pair, in the half of the squares above the diagonal.
//% macro values_above()
            const unsigned int line = k % ${lines};
            const unsigned int i = row * ${side} + ${lines} * group + line;
            const unsigned int j = begin + k / ${lines};
            if (${domain.has("i", "j", diagonal)}) {~
//% for slot in squares
                ${slot.memory}[(unsigned long long)j * n + i] = shared.folded.${slot.name}[line][k / ${lines}];
//% endfor
            ~}
//% endmacro

//# Where feature k of a chunk is in shared memory.
{% macro at(element) %}[buffer][${element}][k / ${few}].value[k % ${few}]{% endmacro %}

//# Statements for each of the thread's columns j, which are 32 apart.
//% macro over_turns(statements)
//% if turns > 1
#pragma unroll
for (unsigned int turn = 0; turn < ${turns}; ++turn) {
    const unsigned int place = 32 * turn + threadIdx.x;
    const unsigned int j = begin + place;
    ${statements}
}
//% else
const unsigned int place = threadIdx.x;
const unsigned int j = begin + place;
${statements}
//% endif
//% endmacro

//% macro add_columns()
    if (j < ${domain.columns_stop}) {~
//% for result in column_results
        ${gather(result, result.name ~ "_col" ~ of_turn, "j", domain.columns)}
//% endfor
    ~}
//% endmacro

//# The pair of a thread's column j.
//% macro pair_of_turn()
    if (j < stop) {
        ${values()}
        ${evaluate("i", "j", "@_all[i]", "@_all[j]", row_result="@_row", column_result="@_col" ~ of_turn)}
        ${append("i", "j")}
//% for slot in row_slots
        ${slot.memory}[start + place] = ${slot.value};
//% endfor
//% for slot in squares
        ${slot.memory}[${"start + place" if not row_slots else "(unsigned long long)i * n + j"}] = ${slot.value};
        shared.folded.${slot.name}[line][place] = ${slot.value};
//% endfor
    }
//% endmacro

//# The pairs of a row, which a warp shares.
//% macro pairs_of_row()
const unsigned int stop = min(${domain.columns_end("i")}, begin + ${side});
//% for result in row_results
${result.part} ${result.name}_row;
//% endfor
//% if slots
const unsigned long long start = ${start} + begin;
//% endif
//% if has_groups
const unsigned int skew = start % ${group};
//% if side + group <= 32 * group
if (const unsigned int place = ${group} * threadIdx.x; place < ${side} + skew) {
//% else
for (unsigned int place = ${group} * threadIdx.x; place < ${side} + skew; place += ${32 * group}) {
//% endif
//% for fold in folds
    const td_few<${fold.type}, ${group}> ${fold.name}_few = td_few_at<${group}>(&shared.folded.${fold.name}[line][place]);
//% endfor
    ${values("[" ~ group ~ "]")}
#pragma unroll
    for (unsigned int k = 0; k < ${group}; ++k) {
        const unsigned int j = begin + place + k - skew;
        if (j >= begin && j < stop) {~
            ${evaluate("i", "j", "@_all[i]", "@_all[j]", "[k]")}
            ${append("i", "j")}
        ~}
    }
    // The vector store, where all of the values have a pair.
    if (place >= skew && begin + place + ${group - 1} - skew < stop${and_aligned()}) {
//% for slot in slots
        ${store_group(slot)}
//% endfor
    } else {
#pragma unroll
        for (unsigned int k = 0; k < ${group}; ++k) {
            const unsigned int j = begin + place + k - skew;
            if (j >= begin && j < stop) {~
//% for slot in slots
                ${slot.memory}[start - begin + j] = ${slot.value}[k];
//% endfor
            ~}
        }
    }
//% if squares
#pragma unroll
    for (unsigned int k = 0; k < ${group}; ++k) {
        if (place + k >= skew && place + k < ${side} + skew) {~
//% for slot in squares
            shared.folded.${slot.name}[line][place + k - skew] = ${slot.value}[k];
//% endfor
        ~}
    }
//% endif
}
//% else
${over_turns(pair_of_turn())}
//% endif
//% if squares and not diagonal
if (row == col && threadIdx.x == 0) {~
//% for slot in squares
    ${slot.memory}[(unsigned long long)i * n + i] = ${slot.name}_diagonal;
//% endfor
~}
//% endif
//% if row_results
// Put the threads' results of the row together, and add them to the element's.
//% for result in row_results
//% for plane in result.planes
${result.shared} ${plane.warps} = ${result.of_lanes}(${result.name}_row${plane.member}${result.value});
//% endfor
//% endfor
if (threadIdx.x == 0) {~
//% for result in row_results
//% for plane in result.planes
    ${added(result, plane, "i", plane.warps, domain.rows)}
//% endfor
//% endfor
~}
//% endif
//% endmacro

//# The vector store of a group.
//% macro store_group(slot)
//% if slot.grouped
td_store<${slot.grouped}>(${slot.memory} + start + place - skew, ${slot.value});
//% else
#pragma unroll
for (unsigned int k = 0; k < ${group}; ++k)
${slot.memory}[start + place - skew + k] = ${slot.value}[k];
//% endif
//% endmacro
