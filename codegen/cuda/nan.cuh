// The macro of C's own, which NVRTC does not have.
#ifndef NAN
#define NAN __int_as_float(0x7fc00000)
#endif
