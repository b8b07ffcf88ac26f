//! The types and constants of C's headers that a body can use. NVRTC defines none of them.

/// Types of `<stdint.h>`, with the sizes that they have on every platform.
pub(crate) const TYPES: &[(&str, &str)] = &[
    ("int8_t", "signed char"),
    ("uint8_t", "unsigned char"),
    ("int16_t", "short"),
    ("uint16_t", "unsigned short"),
    ("int32_t", "int"),
    ("uint32_t", "unsigned int"),
    ("int64_t", "long long"),
    ("uint64_t", "unsigned long long"),
];

/// Constants of `<float.h>`, `<limits.h>`, `<math.h>` and `<stdint.h>`.
pub(crate) const CONSTANTS: &[(&str, &str)] = &[
    ("CHAR_BIT", "8"),
    ("DBL_EPSILON", "2.2204460492503131e-16"),
    ("DBL_MAX", "1.7976931348623157e+308"),
    ("DBL_MIN", "2.2250738585072014e-308"),
    ("FLT_EPSILON", "1.19209290e-07f"),
    ("FLT_MAX", "3.40282347e+38f"),
    ("FLT_MIN", "1.17549435e-38f"),
    ("HUGE_VAL", "__longlong_as_double(0x7ff0000000000000)"),
    ("HUGE_VALF", "__int_as_float(0x7f800000)"),
    ("INFINITY", "__int_as_float(0x7f800000)"),
    ("INT16_MAX", "32767"),
    ("INT16_MIN", "(-32767 - 1)"),
    ("INT32_MAX", "2147483647"),
    ("INT32_MIN", "(-2147483647 - 1)"),
    ("INT64_MAX", "9223372036854775807ll"),
    ("INT64_MIN", "(-9223372036854775807ll - 1)"),
    ("INT8_MAX", "127"),
    ("INT8_MIN", "(-128)"),
    ("INT_MAX", "2147483647"),
    ("INT_MIN", "(-2147483647 - 1)"),
    ("LLONG_MAX", "9223372036854775807ll"),
    ("LLONG_MIN", "(-9223372036854775807ll - 1)"),
    ("M_1_PI", "0.31830988618379067154"),
    ("M_2_PI", "0.63661977236758134308"),
    ("M_2_SQRTPI", "1.12837916709551257390"),
    ("M_E", "2.7182818284590452354"),
    ("M_LN10", "2.30258509299404568402"),
    ("M_LN2", "0.69314718055994530942"),
    ("M_LOG10E", "0.43429448190325182765"),
    ("M_LOG2E", "1.4426950408889634074"),
    ("M_PI", "3.14159265358979323846"),
    ("M_PI_2", "1.57079632679489661923"),
    ("M_PI_4", "0.78539816339744830962"),
    ("M_SQRT1_2", "0.70710678118654752440"),
    ("M_SQRT2", "1.41421356237309504880"),
    ("NAN", "__int_as_float(0x7fc00000)"),
    ("UINT16_MAX", "65535"),
    ("UINT32_MAX", "4294967295u"),
    ("UINT64_MAX", "18446744073709551615ull"),
    ("UINT8_MAX", "255"),
    ("UINT_MAX", "4294967295u"),
    ("ULLONG_MAX", "18446744073709551615ull"),
];

/// Whether this is a type of C, which no parameter or struct can be named after.
pub(crate) fn is_type(name: &str) -> bool {
    TYPES.iter().any(|(each, _)| *each == name)
}

/// Whether this is a constant of C.
pub(crate) fn is_constant(name: &str) -> bool {
    CONSTANTS.iter().any(|(each, _)| *each == name)
}
