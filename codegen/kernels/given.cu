//# The user's part of a source before the bodies: Rust constants, which rustc writes, and the prelude.
//% if prelude

// 177: declared and not used. A kernel need not use all of its prelude.
#pragma nv_diagnostic push
#pragma nv_diag_suppress 177
//% endif
//% if constants

// Rust constants. Hexadecimal floats are exact.
//% for line in constants
${line}
//% endfor
//% endif
//% if prelude

#include <prelude>
#pragma nv_diagnostic pop
//% endif
