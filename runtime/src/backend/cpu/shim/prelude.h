// What CUDA C++ provides to a kernel without an #include, for the system's C++ compiler. The CPU backend puts this file before
// every kernel; nothing else includes it.
//
// CUDA's names are in the global namespace, as on a GPU. This header's own names are in the namespace `td_cpu`. The C headers
// are included as <math.h>, not <cmath>: that form declares the overloads for float in the global namespace too.
#ifndef TD_CPU_PRELUDE_H
#define TD_CPU_PRELUDE_H

#include <cstddef>

// Only those C++ headers that <math.h> reads too. The few type traits needed here take far fewer lines than <type_traits>,
// <limits> and <utility>, which took a fifth of a small kernel's compile time.
//
// C++17 functions such as `std::riemann_zeta` are not in CUDA, but libstdc++ reads them with every <math.h>, which takes as
// long as the rest of it. Any of its headers brings its configuration.
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

// After every system header: it defines names such as `__noinline__` that those headers use inside attributes.
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
