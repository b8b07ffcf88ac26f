//! The C++ definition of a user's struct, in pieces. Sizes and offsets go between the pieces; only rustc knows them.

use super::helpers;
use crate::cuda_type::CudaType;

/// The helper that defines the type of a member or an element.
pub(crate) fn helper(name: &str) -> &'static str {
    helpers::text_of(name)
}

/// The definition up to the struct's size: its members, and `alignas(…)` if it has an alignment.
pub(crate) fn open(name: &str, alignment: Option<&str>, members: &str) -> String {
    let aligned = alignment.map_or_else(String::new, |bytes| format!("alignas({bytes}) "));
    format!("struct {aligned}{name} {{\n{members}}};\nstatic_assert(sizeof({name}) == ")
}

/// A member, with the lengths of nested arrays, outermost first. Arrays are C arrays here: CUDA's vector types are aligned more
/// strictly than Rust's arrays.
pub(crate) fn member(element: &CudaType, name: &str, lengths: &[usize]) -> String {
    let lengths: String = lengths.iter().map(|length| format!("[{length}]")).collect();
    format!("    {} {name}{lengths};\n", element.name)
}

/// From the struct's size to its alignment.
pub(crate) fn alignment(name: &str) -> String {
    format!(" && alignof({name}) == ")
}

/// From the previous number to the offset of `member`.
pub(crate) fn offset(name: &str, member: &str) -> String {
    format!("\n    && offsetof({name}, {member}) == ")
}

/// From the last number to the end.
pub(crate) fn close(name: &str) -> String {
    format!(",\n    \"{name} has different layouts in C++ and in Rust\");\n")
}
