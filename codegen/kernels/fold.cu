//# The sweep `fold`, for elements with features. Their number is an argument of a launch. Each thread keeps the folds of some
//# pairs in registers, and all threads of a block visit the features together, panel by panel.
//#
//# A panel has some features of each element of the tile's rows and columns. It is in shared memory, ordered by features,
//# so that a thread reads one feature of four neighbouring elements at once. Each thread loads one word of 16 bytes of a
//# row and one of a column of the next panel, and keeps them in registers while the current panel is folded. A feature is
//# read one feature before it is folded; in the smallest tiles, where the terms of one feature take less time than a read,
//# three features before. A thread has the pairs of some rows with some columns, so each feature that it reads serves many
//# pairs.
//#
//# After the last feature each warp writes its folds to shared memory, which the panels no longer need, some rows at a time.
//# Neighbouring threads then read the folds of neighbouring pairs, whose values they store contiguously.
//#
//# The order of a kernel: helpers, the functions of a feature and of a pair, signature, the map's prologue (kernel.cu);
//# stage and pairs (here); the flush of the sums (kernel.cu). Code that several sweeps share, such as the call of the pair
//# function, is in parts.cu.
//% extends "kernel.cu"
//% from "parts.cu" import evaluate, outputs, result, slot

//# A warp has the pairs of four rows at a time. Each of them has 8 or 16 times as many columns as a thread reads at once.
//% set warp_columns = 8 * adjacent
//% set segments = rows // adjacent
//% set of_segment = " + SIDE * GROUP * segment" if segments > 1 else ""
//# Results of elements are gathered only in tiles of one segment, in which a thread has one column.
//% set lane_column = "lane" if warp_columns == 32 else "lane % WARP_COLUMNS"
//# If a kernel only stores values, interior tiles do not have a filter, and their loop over the groups of rows is unrolled, so
//# that a thread continues with the next pairs while it waits for the current ones. The same holds for nearest neighbours:
//# few pairs go to queues, and these are evaluated again, by code that a group has once. A pair must have the same bits
//# wherever it is evaluated, so this needs a body that reads only its folds. Both halves of a square, and neighbours of two
//# sets, would take more registers than a thread has.
//% set may_be_unrolled = blocks > 1 and word > 2 and reads_only_folds
//% set is_queued = nearest and not domain.is_rectangle
//% set has_interior = may_be_unrolled and (row_slots or is_queued) and not (squares or row_results or column_results or sums)
//# Whether the code for a pair of two sets reads the pair's indices. In the largest tiles NVRTC 12 then spills registers, so
//# the loop over the group's rows is not unrolled.
//% set uses_indices = domain.is_rectangle and rows > adjacent and (uses.i or uses.j)
//# Whether a pair without the filter uses its column.
//% set has_columns = uses.j or squares or nearest or column_elements or row_elements

//# Elements of many sets, and the values of their pairs, are one set after another. Within a set, indices count from its first
//# element.
//% set row_origin = "own.row + " if domain.is_of_sets else ""
//% set column_origin = "own.column + " if domain.is_of_sets else ""

{% block work %}each thread the folds of ${rows} x ${rows} pairs of a tile{% endblock %}

//% block indices

    // The threads form a square over the tile, in which a warp is 4 x 8 threads. A thread has the pairs of some rows with as
    // many columns, in groups of adjacent rows and columns.
//% if row_features
    const unsigned int ty = threadIdx.y / 2 * 4 + threadIdx.x / 8;
//% endif
//% if column_features
    const unsigned int tx = threadIdx.y % 2 * 8 + threadIdx.x % 8;
//% endif
//% endblock

//# The offset of feature k of a panel. Padding moves the features of each word to other banks.
{% macro offset_of(k) %}{% set k = "(" ~ k ~ ")" if " " in k else k %}${k} * TILE + ${k} / WORD * PADDING{% endmacro %}

//% block stage

    // Two panels of features: one is folded while the next is stored. After the last panel, the same memory holds the folds.
    __shared__ union {
        struct {
            ${row_features|lines("alignas(16) @.kept_as @_rows[2][BUFFER];")}
            ${column_features|lines("alignas(16) @.kept_as @_cols[2][BUFFER];")}
        } panels;
        struct {
            ${folds|lines("alignas(16) @.type @_fold[WARPS][STAGED_ROWS][STAGED_PAIRS];")}
        } folded;
    } shared;
    // The tile's position is kept in shared memory, because the folds need the registers.
//% if has_interior
    __shared__ struct {
        unsigned int top, begin;
        bool is_interior;
    } tile;
    if (threadIdx.x == 0 && threadIdx.y == 0)
        tile = {tile_i * TILE, tile_j * TILE, ${domain.interior}};
//% else
    __shared__ struct {
        unsigned int top, begin;
    } tile;
    if (threadIdx.x == 0 && threadIdx.y == 0)
        tile = {tile_i * TILE, tile_j * TILE};
//% endif

    // For each panel, a thread loads a word of 16 bytes of ${elements_of_thread()}. Reads past the last element are clamped to it;
    // these copies do not have pairs. Values past the last feature are loaded but not folded.
    const unsigned int words = features / WORD + (features % WORD > 0);
    const unsigned int element = (32 * threadIdx.y + threadIdx.x) / WORDS, word = threadIdx.x % WORDS;
    ${row_features|lines("const uint4 *@_row_next =¶ @_all + (unsigned long long)" ~ in_set(row_origin, "min(tile_i * TILE + element, " ~ domain.rows ~ " - 1)") ~ " * words + word;\ntd_vector<@.kept_as, WORD> @_row_word;")}
    ${column_features|lines("const uint4 *@_col_next =¶ @_all + (unsigned long long)" ~ in_set(column_origin, "min(tile_j * TILE + element, " ~ domain.columns ~ " - 1)") ~ " * words + word;\ntd_vector<@.kept_as, WORD> @_col_word;")}
    // The addresses at which the thread reads the features of its rows and columns.
    ${row_features|lines("const @.kept_as *const @_row_from = shared.panels.@_rows[0] + GROUP * ty;")}
    ${column_features|lines("const @.kept_as *const @_col_from = shared.panels.@_cols[0] + GROUP * tx;")}
    const auto fetch = [&] {
        ${row_features|lines("@_row_word = *(const td_vector<@.kept_as, WORD> *)@_row_next;")}
        ${column_features|lines("@_col_word = *(const td_vector<@.kept_as, WORD> *)@_col_next;")}
    };
    const auto put = [&](const unsigned int buffer) {
//% if segments > 1
        // Where the thread stores its words: computed again for each panel, because the folds need the registers.
        const auto thread = td_thread_index();
        const unsigned int to = buffer + (WORD * TILE + PADDING) * (thread.x % WORDS) + (32 * thread.y + thread.x) / WORDS;
//% else
        // Where the thread stores its words.
        const unsigned int to = buffer + (WORD * TILE + PADDING) * word + element;
//% endif
#pragma unroll
        for (unsigned int k = 0; k < WORD; ++k) {
            ${row_features|lines("shared.panels.@_rows[0][to + TILE * k] = @_row_word.value[k];")}
            ${column_features|lines("shared.panels.@_cols[0][to + TILE * k] = @_col_word.value[k];")}
        }
    };
    const auto advance = [&] {
        ${row_features|lines("@_row_next += WORDS;")}
        ${column_features|lines("@_col_next += WORDS;")}
    };
//% endblock

//# An index among those of all sets, as a factor.
{% macro in_set(origin, index) %}${"(" ~ origin ~ index ~ ")" if origin else index}{% endmacro %}

{% macro elements_of_thread() %}${"a row and a column" if row_features and column_features else "a row" if row_features else "a column"}{% endmacro %}

//# Calls the feature function for one feature of a pair, which is in this set of registers.
{% macro term(k, set) %}${name}_feature(¶${register_arguments|replace("@s", set)|replace("@k", k)});{% endmacro %}

//# The terms of all of the thread's pairs. Consecutive terms share a row or a column, whose feature is still in the register
//# reuse cache.
//% macro terms(k, set)
#pragma unroll
for (unsigned int group = 0; group < THREAD_ROWS; group += GROUP) {
#pragma unroll
    for (unsigned int line = 0; line < THREAD_ROWS; ++line) {
        const unsigned int r = group == 0 ? line : THREAD_ROWS - 1 - line;
#pragma unroll
        for (unsigned int next = 0; next < GROUP; ++next) {
            const unsigned int c = group + (line % 2 == 0 ? next : GROUP - 1 - next);
            ${term(k, set)}
        }
    }
}
//% endmacro

//% macro next_panel()
put(BUFFER - buffer);
__syncthreads();
advance();
buffer = BUFFER - buffer;
//% endmacro

//% block pairs

    ${folds|lines("@.type @_fold[THREAD_ROWS][THREAD_ROWS]@.zeros;")}
#pragma unroll
    for (unsigned int r = 0; r < THREAD_ROWS; ++r) {~
#pragma unroll
        for (unsigned int c = 0; c < THREAD_ROWS; ++c) {~
            ${folds|only("start")|lines("@_fold[r][c] = @.start;")}
        ~}
    ~}

    // Reads a feature of the thread's rows and columns into one of ${"two" if ahead == 1 else "four"} sets of registers, while
    // ${"the other" if ahead == 1 else "another"} set is folded.
    ${row_features|lines("@.kept_as @_row[AHEAD + 1][THREAD_ROWS];")}
    ${column_features|lines("@.kept_as @_col[AHEAD + 1][THREAD_ROWS];")}
    const auto read = [&](const int from, const unsigned int offset, const unsigned int set) {
        ${over_groups("r", read_rows())}
        ${over_groups("c", read_columns())}
    };

    fetch();
    put(0);
    advance();
    __syncthreads();
//% if ahead == 1
    read(0, 0, 0);
//% else
#pragma unroll
    for (unsigned int k = 0; k < AHEAD; ++k)
        read(0, ${offset_of("k")}, k);
//% endif
    unsigned int buffer = 0, remaining = features;
#pragma unroll 1
    for (; remaining >= STEP; remaining -= STEP) {
//% if step == panel
        fetch();
#pragma unroll
        for (unsigned int k = 0; k < STEP; ++k) {
            if (k == STEP - 1) {
                // The last feature of this panel has been read. Continue with the next panel, even after the last one.
                ${next_panel()}
                read(buffer, 0, (k + 1) % 2);
            } else {
                read(buffer, ${offset_of("k + 1")}, (k + 1) % 2);
            }
            ${terms("features - remaining + k", "k % 2")}
        }
//% else
        const unsigned int first = (features - remaining) % PANEL_FEATURES;
        if (first == 0)
            fetch();
//% if is_whole
        // The offset of these features.
        int from = buffer + ${offset_of("first")};
#pragma unroll
        for (unsigned int k = 0; k < STEP; ++k) {
            if (k == STEP - AHEAD && first == PANEL_FEATURES - STEP) {
                // The last feature of this panel has been read. Continue with the next panel, even after the last one.
                ${next_panel()}
                from = (int)buffer - (int)(STEP * TILE + STEP / WORD * PADDING);
            }
            read(from, ${offset_of("k + AHEAD")}, (k + AHEAD) % (AHEAD + 1));
            ${terms("features - remaining + k", "k % (AHEAD + 1)")}
        }
//% else
#pragma unroll
        for (unsigned int k = 0; k < STEP; ++k) {
            if (k == STEP - 1 && first == PANEL_FEATURES - STEP) {
                // The last feature of this panel has been read. Continue with the next panel, even after the last one.
                ${next_panel()}
                read(buffer, 0, (k + 1) % 2);
            } else {
                read(buffer, ${offset_of("first + k + 1")}, (k + 1) % 2);
            }
            ${terms("features - remaining + k", "k % 2")}
        }
//% endif
//% endif
    }
    // The remaining features.
#pragma unroll 1
    for (unsigned int k = features - remaining; k < features; ++k) {
        read(buffer, ${offset_of("k % PANEL_FEATURES")}, 0);
        ${terms("k", "0")}
    }

    // The pairs, four rows of each warp at a time. The folds are written to shared memory, from which neighbouring threads
    // read those of neighbouring pairs.
    __syncthreads();
    const unsigned int top = tile.top, begin = tile.begin;
    const auto thread = td_thread_index();
    const unsigned int lane = thread.x, warp = thread.y;
    ${domain.set_index}
    // The thread's first column.
    const unsigned int first = begin + WARP_COLUMNS * (warp % 2) + ${lane_column};
    ${result.begin_column()}
//% if has_interior
    if (tile.is_interior) {
        // An interior tile: every pair is inside the ${domain.area}.
#pragma unroll
        for (unsigned int group = 0; group < THREAD_ROWS; ++group) {
            ${over_groups("c", write_folds("group"))}
//% if nearest
            ${queued_pairs_of_group()}
//% else
            ${pairs_of_group(true)}
//% endif
        }
    } else {
        ${domain.boundary}
        ${filtered_groups()}
    }
//% else
    ${filtered_groups()}
//% endif
    ${(over_segments(add_columns(), false) if column_results else "")|paragraph("// Add the results of the thread's columns to the results of the elements.")}
//% endblock

//# The pairs of each group of rows, with the filter.
//% macro filtered_groups()
#pragma unroll 1
for (unsigned int group = 0; group < THREAD_ROWS; ++group) {
    // Registers cannot be indexed at run time.
#pragma unroll
    for (unsigned int r = 0; r < THREAD_ROWS; ++r) {
        if (r == group) {~
            ${over_groups("c", write_folds("r"))}
        ~}
    }
    ${pairs_of_group(false)}
}
//% endmacro

//# An interior tile: tests whether any pair goes to a queue, and only then which ones. Each of these is then evaluated again.
//% macro queued_pairs_of_group()
__syncwarp();
bool any = false;
#pragma unroll
${over_lines(pairs_of_row(true, "any"))}
if (any) {
    // Read again, because the folds need the registers until here.
    const unsigned int lane = threadIdx.x, warp = threadIdx.y;
    const unsigned int top = tile.top, first = tile.begin + WARP_COLUMNS * (warp % 2) + ${lane_column};
    // ${"Bit GROUPS * line + segment" if segments > 1 else "Bit line"}: whether the pair is near one of its elements.
    unsigned int bits = 0;
#pragma unroll 1
    ${over_lines(pairs_of_row(true, "bits", "(GROUPS * line + segment)" if segments > 1 else "line", unroll=" 1"))}
#pragma unroll 1
    for (; bits != 0; bits &= bits - 1) {
//% if segments > 1
        const unsigned int line = (__ffs(bits) - 1) / GROUPS, segment = (__ffs(bits) - 1) % GROUPS;
//% else
        const unsigned int line = __ffs(bits) - 1;
//% endif
        ${row_of_line()}
//% if row_slots
        ${start_of_row()}
//% endif
        ${index_of_segment(true, has_columns)}
        ${pair_of_segment()}
    }
}
__syncwarp();
//% endmacro

//# The pairs of a group of rows whose folds the thread has written.
//% macro pairs_of_group(is_interior)
__syncwarp();
#pragma unroll${"" if is_short and not uses_indices and not has_wide_sums else " 1"}
${over_lines(pairs_of_row(is_interior))}
__syncwarp();
//% endmacro

//# Statements for each of a group's rows.
//% macro over_lines(statements)
for (unsigned int line = ${"0" if warp_columns == 32 else "lane / WARP_COLUMNS"}; line < STAGED_ROWS; ${"++line" if warp_columns == 32 else "line += 32 / WARP_COLUMNS"}) {
    ${row_of_line()}
    ${statements}
}
//% endmacro

//% macro row_of_line()
const unsigned int i = top + GROUP * (STAGED_ROWS * (warp / 2) + line)${" + SIDE * GROUP * (group / GROUP) + group % GROUP" if rows > adjacent else " + group"};
//% endmacro

//% macro start_of_row()
const unsigned long long start = ${"own.start + " if domain.is_of_sets else ""}${domain.row_start("i")} + first;
//% endmacro

//# Statements for each group of rows or columns that a thread reads at once. With a single group, a loop would cost registers.
//% macro over_groups(name, statements)
//% if rows > adjacent
#pragma unroll
for (unsigned int ${name} = 0; ${name} < THREAD_ROWS; ${name} += GROUP) {~
${statements}
~}
//% else
${statements}
//% endif
//% endmacro

//# What an index is more than in a thread's first group of rows or columns, if it has several.
{% macro more(text) %}${text if rows > adjacent else ""}{% endmacro %}

//% macro read_rows()
    ${row_features|lines("td_read_vector<GROUP>(@_row[set]" ~ more(" + r") ~ ", @_row_from + from + offset" ~ more(" + SIDE * r") ~ ");")}
//% endmacro

//% macro read_columns()
    ${column_features|lines("td_read_vector<GROUP>(@_col[set]" ~ more(" + c") ~ ", @_col_from + from + offset" ~ more(" + SIDE * c") ~ ");")}
//% endmacro

//% macro write_folds(r)
    ${folds|lines("td_write_vector<GROUP>(¶&shared.folded.@_fold[warp][lane / 8][" ~ more("8 * c + ") ~ "GROUP * (lane % 8)],¶@_fold[" ~ r ~ "]" ~ more(" + c") ~ ");")}
//% endmacro

//# Statements for each of the thread's columns: a warp has WARP_COLUMNS adjacent columns, or twice as many.
//% macro over_segments(statements, has_index, has_j=true, unroll="")
//% if segments > 1
#pragma unroll${unroll}
for (unsigned int segment = 0; segment < GROUPS; ++segment) {
    ${index_of_segment(has_index, has_j)}
    ${statements}
}
//% else
${index_of_segment(has_index, has_j)}
${statements}
//% endif
//% endmacro

//# The position of the thread's pair: the index of its folds, and its column.
//% macro index_of_segment(has_index, has_j)
//% if has_index
const unsigned int index = ${"WARP_COLUMNS * segment + lane" if segments > 1 else lane_column};
//% endif
//% if has_j
const unsigned int j = first${of_segment};
//% endif
//% endmacro

//% macro add_columns()
    if (j < ${domain.columns_stop}) {~
        ${result.gather(column_results, "@_col", column_origin ~ "j", domain.columns)}
    ~}
//% endmacro

//# The pair of a thread's column.
//% macro pair_of_segment(flag="", bit="", is_interior=false)
    ${slot.begin_pair()}
    ${evaluate("i", "j", "@_all[" ~ row_origin ~ "i]", "@_all[" ~ column_origin ~ "j]", row_result="@_row", flag=flag, bit=bit, is_interior=is_interior)}
    ${outputs.append("i", "j")}
    ${slot.store_pair("start" ~ of_segment)}
//% endmacro

//% macro filtered_pair()
    if (${domain.has("i", "j", diagonal)}) {~
        ${pair_of_segment()}
    ~}
    if (i == j && ${domain.has_row("i")}) {~
        ${slot.store_diagonal()}
    ~}
//% endmacro

//# The pairs of a row, which WARP_COLUMNS threads share.
//% macro pairs_of_row(is_interior, flag="", bit="", unroll="")
${result.begin_row()}
//% if row_slots
${start_of_row()}
//% endif
${over_segments(pair_of_segment(flag, bit, true) if is_interior else filtered_pair(), true, not is_interior or has_columns, unroll)}
${result.gather_lanes("WARP_COLUMNS", lane_column, row_origin)}
//% endmacro
