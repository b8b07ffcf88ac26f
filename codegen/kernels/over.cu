//# Loops of a thread or of a block around statements, if there are any.

//# Statements in a loop or under a condition.
//% macro within(head, statements)
//% if statements|paragraph
${head} {~
    ${statements}
~}
//% endif
//% endmacro

//# Statements for each of the thread's rows.
//% macro over_rows(statements)
${within("#pragma unroll\nfor (unsigned int r = 0; r < THREAD_ROWS; ++r)", statements)}
//% endmacro

//# How often a loop over pairs is unrolled: a long body would fill the instruction cache.
{% macro unrolled(count) %}${count if is_short else 1}{% endmacro %}

//# An index, if it is used and does not have this name already.
//% macro index(name, value, is_used=true)
${"const unsigned int " ~ name ~ " = " ~ value ~ ";" if is_used and name != value else ""}
//% endmacro

//# Statements for each k below the constant `name`, whose value is `count`, shared among the threads of the block.
//% macro over(name, count, statements)
//% if statements
//% if count == threads
{
const unsigned int k = threadIdx.y * WIDTH + threadIdx.x;
${statements}
}
//% elif count < threads
if (const unsigned int k = threadIdx.y * WIDTH + threadIdx.x; k < ${name}) {~
${statements}
~}
//% else
for (unsigned int k = threadIdx.y * WIDTH + threadIdx.x; k < ${name}; k += THREADS) {~
${statements}
~}
//% endif
//% endif
//% endmacro

//# Statements about a row, which a block that walks along it needs once.
//% macro in_new_row(statements)
${within("if (" ~ map.is_new_row ~ ")", statements) if map.walks else statements}
//% endmacro
