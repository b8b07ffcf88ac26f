//# What the user gives the text before the bodies: constants of Rust's, which rustc writes, and the prelude.
//% if prelude

// 177: declared and not used. A kernel need not use all of its prelude.
#pragma nv_diagnostic push
#pragma nv_diag_suppress 177
//% endif
//% if constants

// Rust's constants. Hexadecimal floats are exact.
//% for line in constants
${line}
//% endfor
//% endif
//% if prelude

#include <prelude>
#pragma nv_diagnostic pop
//% endif
