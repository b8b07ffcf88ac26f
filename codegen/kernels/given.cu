//# What the user gives the text before the bodies: constants of Rust's, which rustc writes, and the prelude.
//% if prelude

// Of the prelude and its constants, a kernel need not use all.
#pragma nv_diagnostic push
#pragma nv_diag_suppress 177
//% endif
//% if constants

// Constants of Rust's. Hexadecimal floats are exact.
//% for line in constants
${line}
//% endfor
//% endif
//% if prelude

#include <prelude>
#pragma nv_diagnostic pop
//% endif
