//! Reserved names of C++ and CUDA.

/// The keywords of C++17 and of CUDA, and the alternative spellings of operators, except keywords of Rust that cannot
/// be raw identifiers.
pub(super) const KEYWORDS: &[&str] = &[
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
    "case", "catch", "char", "char16_t", "char32_t", "class", "compl", "const", "const_cast",
    "constexpr", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast",
    "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto",
    "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq",
    "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register",
    "reinterpret_cast", "return", "short", "signed", "sizeof", "static", "static_assert",
    "static_cast", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try",
    "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile",
    "wchar_t", "while", "xor", "xor_eq",
];

/// Macros that the compiler, or the runtime before the source, defines.
pub(super) const MACROS: &[&str] =
    &["NULL", "TD_ARRAY_WIDTH", "TD_NEAREST", "TD_WIDE", "assert", "offsetof"];
