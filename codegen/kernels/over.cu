//# Loops of a thread or of a block around statements, if there are any.

//# Statements for each of the thread's rows.
//% macro over_rows(statements)
//% if statements
#pragma unroll
for (unsigned int r = 0; r < THREAD_ROWS; ++r) {~
    ${statements}
~}
//% endif
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
//% if map.walks
if (${map.is_new_row}) {~
    ${statements}
~}
//% else
${statements}
//% endif
//% endmacro
