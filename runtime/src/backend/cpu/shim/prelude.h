// What CUDA C++ gives a kernel without an #include, for the system's C++ compiler.
// The CPU device puts this file before every kernel; nothing else includes it.
//
// CUDA's names stand in the global namespace, as they do on a GPU. Everything of this
// header's own is in the namespace `td_cpu`. The C headers come as <math.h>, not <cmath>:
// that is the form which declares the overloads for float in the global namespace too.
#ifndef TD_CPU_PRELUDE_H
#define TD_CPU_PRELUDE_H

#include <cstddef>

// Of C++'s own headers only those that <math.h> reads too: what little else there is to say of types takes far fewer lines than
// <type_traits>, <limits> and <utility>, which took a fifth of the time in which a small kernel compiles.
//
// C++17's functions such as `std::riemann_zeta` are none of CUDA's, and libstdc++ reads them with every <math.h>, for as
// long as all the rest of it. Its configuration comes with any of its headers.
#ifdef _GLIBCXX_USE_STD_SPEC_FUNCS
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#define _GLIBCXX_USE_STD_SPEC_FUNCS 0
#endif

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// After every header of the system, because it defines names such as `__noinline__` that
// those headers spell inside attributes.
#include "qualifiers.h"
#include "vector_types.h"
#include "execution.h"
#include "barriers.h"
#include "warp_functions.h"
#include "warp_reductions.h"
#include "tensor_functions.h"
#include "atomics.h"
#include "memory.h"
#include "integer_functions.h"
#include "simd_functions.h"
#include "conversions.h"
#include "float_functions.h"
#include "special_functions.h"
#include "rounding_functions.h"
#include "minimum_maximum.h"

#endif
