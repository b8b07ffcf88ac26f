//# The values of pairs, in slots of packed memory, a square or a matrix.
//% from "over.cu" import within

//# The values of a pair. They start at zero, so that a slot is initialised even if the body returns early.
//% macro begin_pair(count="")
${slots|lines("@.type @.value" ~ count ~ "{};")}
//% endmacro

//# Stores the values of the pair (i, j): `at` is the slot in its row.
//% macro store_pair(at, j="j")
${row_slots|lines("@.memory[" ~ at ~ "] = @.value;")}
${squares|lines("@.memory[(unsigned long long)i * n + " ~ j ~ "] = @.value;\n@.memory[(unsigned long long)" ~ ("(" ~ j ~ ")" if " " in j else j) ~ " * n + i] = @.value;")}
//% endmacro

//# The slot (i, i) of a square that has no such pair.
//% macro store_diagonal()
${diagonal_squares|lines("@_square[(unsigned long long)i * n + i] = @_diagonal;")}
//% endmacro

//# On the CPU: those of the rows from `start` to `stop`.
//% macro store_diagonals()
${within("for (unsigned int i = start; i < stop; ++i)", store_diagonal())|paragraph}
//% endmacro

//# Values of a thread that do not form one vector are stored through shared memory.
//% macro segments()
${indirect|lines("__shared__ td_segment<@.type, VECTOR * WIDTH, VECTOR> @_segment[HEIGHT];")|paragraph("// A segment of values for each row of threads, for contiguous vector stores.")}
//% endmacro

//# Stores the neighbouring values of a thread as a vector, or those of a whole row of threads through its segment.
//% macro store(slots, at)
//% for slot in slots
//% if slot.vector
td_store<${slot.vector}>(${at|of(slot)}, ${slot.value});
//% else
td_store_segment(${at|of(slot)}, ${slot.value}, ${slot.name}_segment[threadIdx.y]);
//% endif
//% endfor
//% endmacro

//# The condition, appended to others, that vectors can be stored: a view of memory can start at any address.
{% macro and_aligned(slots) %}{% for slot in slots %} && td_is_aligned(${slot.memory}){% endfor %}{% endmacro %}
