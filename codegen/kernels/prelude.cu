//# The user's part of a source before the bodies: Rust constants, whose values rustc inserts, and the prelude.
//% for near in nearest if near.is_at_run_time

// The neighbours of an element: a launch compiles the source for 8, 16, 32, 64, 128 or 256.
#define TD_NEAREST 16
//% endfor
//% if has_given_arrays

// The numbers of an array in a launch: it compiles the source for blocks of 4, 8 or 16.
#define TD_ARRAY_WIDTH 16
//% endif
//% if prelude

// Warning 177 reports unused declarations. A kernel need not use all of its prelude.
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
