//! Facts about a parameter, from its kind and its type.

use super::{Count, End, Parameter, Role, plain};
use crate::cuda_type;

impl Parameter {
    /// The parameter's name in CUDA: without the `r#` of a raw identifier.
    pub(crate) fn plain_name(&self) -> String {
        plain(&self.name)
    }

    /// Whether it has a slot for each pair.
    pub(crate) fn is_slot(&self) -> bool {
        matches!(self.kind.role(), Role::Packed | Role::Square | Role::Matrix)
    }

    /// The bytes of the index in a result.
    pub(crate) fn partner_bytes(&self) -> u32 {
        if self.kind.has_partner() { 4 } else { 0 }
    }

    /// Whether its type is an array of more than four numbers.
    pub(crate) fn is_wide(&self) -> bool {
        cuda_type::wide_parts(&self.cuda).is_some()
    }

    /// Whether it has the sums of an array of more than four numbers for each element.
    pub(crate) fn is_wide_sum(&self) -> bool {
        self.is_wide() && self.end().is_some()
    }

    /// Whether its type is an array whose width a launch gives.
    pub(crate) fn is_given_array(&self) -> bool {
        cuda_type::is_given_array(&self.cuda)
    }

    /// The elements that have the result, if it is a result of each element.
    pub(crate) fn end(&self) -> Option<End> {
        match self.kind.role() {
            Role::Result(end) => Some(end),
            _ => None,
        }
    }

    /// The elements that have the features, if it has some.
    pub(crate) fn features(&self) -> Option<End> {
        match self.kind.role() {
            Role::Features(end) => Some(end),
            _ => None,
        }
    }

    /// The elements that have the nearest neighbours, if it keeps some.
    pub(crate) fn neighbours_of(&self) -> Option<End> {
        match self.kind.role() {
            Role::Neighbours(end) => Some(end),
            _ => None,
        }
    }

    /// The size of its type in bytes, if known here: only rustc knows the size of a struct.
    pub(crate) fn size(&self) -> Option<u32> {
        cuda_type::size(&self.cuda)
    }

    /// Whether an element is small enough for a thread to keep a few in registers.
    pub(crate) fn is_kept(&self) -> bool {
        self.size().is_some_and(|bytes| bytes <= 16)
    }

    /// The elements to which it belongs, or the set whose pairs have its slots.
    pub(crate) fn side(&self) -> Option<End> {
        match self.kind.role() {
            Role::Elements | Role::Packed | Role::Square => Some(End::Each),
            Role::Row => Some(End::Row),
            Role::Column => Some(End::Column),
            Role::Features(end) | Role::Result(end) | Role::Neighbours(end) => Some(end),
            Role::Matrix | Role::Input | Role::Memory | Role::Gathered => None,
        }
    }

    /// Whether only a kernel over the pairs of two sets can have such a parameter.
    pub(crate) fn is_of_rectangle(&self) -> bool {
        matches!(self.side(), Some(End::Row | End::Column)) || self.kind.role() == Role::Matrix
    }

    /// Whether the argument has this element count.
    pub(super) fn gives(&self, count: Count) -> bool {
        match (self.kind.role(), count) {
            (Role::Matrix, count) => count != Count::Elements,
            (_, Count::Elements) => self.side() == Some(End::Each),
            (_, Count::Rows) => self.side() == Some(End::Row),
            (_, Count::Columns) => self.side() == Some(End::Column),
        }
    }
}
