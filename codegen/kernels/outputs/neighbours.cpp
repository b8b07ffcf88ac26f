//# The nearest neighbours of elements: the pairs of a row that may be among them are marked, and inserted together.

//% macro begin_part()
${nearest|lines("const @.queues @_queues{@_cells, @_count};")}
//% endmacro

//% macro begin_lines()
//% for list in nearest
const ${list.queues} ${list.name}_queues{${list.name}_cells, ${list.name}_count};
unsigned char ${list.name}_marks[BLOCK_COLUMNS + 8];
${list.value_type} ${list.name}_line[BLOCK_COLUMNS];
//% if list.has_column
${list.type} ${list.name}_bounds[BLOCK_COLUMNS];
//% endif
//% endfor
//% endmacro

//% macro begin_block()
//% for list in nearest|only("has_column")
// The bounds of the columns' nearest neighbours before the block.
for (unsigned int c = 0; c < count; ++c)
${list.name}_bounds[c] = ${list.bound_of_cell}(${list.name}_queues.last_cell(begin + c));
//% endfor
//% endmacro

//% macro begin_row()
${nearest|lines("const @.type @_bound = @.bound_of_cell(@_queues.last_cell(i));\nunsigned char @_any = 0;")}
//% endmacro

//% macro store_pair()
//% for list in nearest
${list.name}_marks[c] = ${list.name}_pushed.is_within(${list.name}_bound)${" | " ~ list.name ~ "_pushed.is_within(" ~ list.name ~ "_bounds[c]) << 1" if list.has_column else ""};
${list.name}_any |= ${list.name}_marks[c];
${list.name}_line[c] = ${list.name}_pushed.value;
//% endfor
//% endmacro

//% macro end_row()
//% for list in nearest
// Insert the marked columns into the nearest of the row${", and the row into the nearest of the marked columns" if list.has_column else ""}.
if (${list.name}_any & 1)
td_insert_marked(${list.name}_queues, i, begin, ${list.name}_marks, width, ${list.name}_line);
//% if list.has_column
if (${list.name}_any & 2)
td_for_each_marked<2>(${list.name}_marks, width, [&](const unsigned int c) {
    ${list.name}_queues.put(begin + c, i, ${list.name}_line[c]);
});
//% endif
//% endfor
//% endmacro

//# Of an element and the columns of its set.
//% macro begin_row_of_set()
${nearest|lines("const @.queues @_queues{@_cells, nullptr};\nunsigned char @_marks[BLOCK_COLUMNS + 8];\n@.value_type @_line[BLOCK_COLUMNS];")}
//% endmacro

//% macro insert_marked()
//% for near in nearest
if (any) {
    td_for_each_marked<1>(${near.name}_marks, count, [&](const unsigned int c) {
        const unsigned long long cell = ${near.name}_queues.cell_of(first + c, ${near.name}_line[c]);
        if (cell > ${near.name}_queues.last_cell(element))
            ${near.name}_queues.insert(element, cell);
    });
}
//% endfor
//% endmacro
