//! How values are combined (sum, minimum or maximum), and the C++ types for that.

use crate::cuda_type::{self, CudaType};

/// How values are combined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gather {
    /// Added up.
    Sum,
    /// The minimum.
    Min,
    /// The maximum.
    Max,
}

/// Whether the index of the other element is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Partner {
    /// It is not stored.
    None,
    /// It is stored with the value. A thread may visit an element's pairs in any order.
    Any,
    /// Like `Any`, for floats in the order of the indices.
    InOrder,
}

/// A number, or the components of a vector.
pub(super) struct Components {
    /// The CUDA name of the component type.
    pub(super) number: String,
    /// The number of components.
    pub(super) count: usize,
}

/// The components of a type that is not a struct.
pub(super) fn components(cuda: &CudaType) -> Components {
    let (number, count) = cuda_type::parts(cuda).unwrap_or_else(|| (cuda.name.clone(), 1));
    Components { number, count }
}

impl Components {
    /// Whether the number is a float.
    pub(super) fn is_float(&self) -> bool {
        is_float(&self.number)
    }

    /// Whether the number has less than 32 bits.
    pub(super) fn is_small(&self) -> bool {
        bits(&self.number) < 32
    }
}

/// The bits of a number of this CUDA type.
fn bits(number: &str) -> u32 {
    match number {
        "signed char" | "unsigned char" => 8,
        "short" | "unsigned short" => 16,
        "double" | "long long" | "unsigned long long" => 64,
        _ => 32,
    }
}

fn is_float(number: &str) -> bool {
    matches!(number, "float" | "double")
}

fn is_unsigned(number: &str) -> bool {
    number.starts_with("unsigned")
}

impl Gather {
    /// The output's name in a signature.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Gather::Sum => "Sums",
            Gather::Min => "Minima",
            Gather::Max => "Maxima",
        }
    }

    /// The type in which a thread accumulates one number.
    pub(super) fn part(self, number: &str, partner: Partner) -> String {
        let best = match (self, partner) {
            (Gather::Sum, _) if is_float(number) => return format!("td_sum<{number}>"),
            (Gather::Sum, _) => return format!("td_sum<{number}, {}>", self.shared(number, false)),
            (Gather::Min, Partner::None) => "td_least",
            (Gather::Max, Partner::None) => "td_greatest",
            (Gather::Min, Partner::Any) => "td_nearest",
            (Gather::Max, Partner::Any) => "td_farthest",
            (Gather::Min, Partner::InOrder) => "td_nearest_in_order",
            (Gather::Max, Partner::InOrder) => "td_farthest_in_order",
        };
        format!("{best}<{number}, {}>", order(number))
    }

    /// The type in which the warps of a block combine their parts. Integers are added up in 64 bits, to detect a sum that does
    /// not fit its type.
    pub(super) fn shared(self, number: &str, has_partner: bool) -> &str {
        match self {
            Gather::Sum if is_float(number) => number,
            Gather::Sum if is_unsigned(number) => "unsigned long long",
            Gather::Sum => "long long",
            _ if has_partner || bits(number) == 64 => "unsigned long long",
            _ => "unsigned int",
        }
    }

    /// The size of that type in bytes.
    pub(super) fn shared_bytes(self, number: &str, has_partner: bool) -> usize {
        if bits(self.shared(number, has_partner)) == 64 { 8 } else { 4 }
    }

    /// The type of an element's cell. CUDA adds 64-bit integers atomically as unsigned ones.
    pub(super) fn cell(self, number: &str, has_partner: bool) -> &str {
        match self {
            Gather::Sum if is_float(number) => "double",
            Gather::Sum => "unsigned long long",
            _ => self.shared(number, has_partner),
        }
    }
}

/// The order of a number's values, as unsigned numbers.
pub(crate) fn order(number: &str) -> String {
    let rank = if bits(number) == 64 { "unsigned long long" } else { "unsigned int" };
    match number {
        "float" => "td_float_order".to_owned(),
        "double" => "td_double_order".to_owned(),
        _ if is_unsigned(number) => format!("td_unsigned_order<{number}, {rank}>"),
        _ => format!("td_signed_order<{number}, {rank}>"),
    }
}
