// The macro of C's own, which NVRTC does not have.
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
