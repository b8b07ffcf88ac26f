//! The square root inside a map, the correction that makes it exact, and the ranges in which float roots are exact.
//!
//! A float root differs slightly from the true value. At the first block of a row the true value of `sqrt(1/4 + 2λ) - 1/2` is
//! an integer, and a smaller result gives the wrong row; the papers add ε to prevent that. At the last block of row r the true
//! value is about 1/r below the next integer, so ε and the error must stay below that: each float root fails from some row on.
//! [`Root::Exact`] corrects its estimate with integers instead, and never fails.
//!
//! The arithmetic leaves the compiler no choice: a product that feeds a sum is `fmaf` if it is to be fused and `__fmul_rn`
//! otherwise, and `2 λ + 1/4` is one rounding either way. So the reference implementations give the same bits as a GPU, except
//! for `rsqrt`, whose hardware instruction is approximate. The last product is rounded before 1/2 is subtracted, because
//! rounding to a float near the root hides the last bits of its error. As one `fmaf` with the sum of both constants, `newton`
//! would fail from row 1527 on.
//!
//! # Exact ranges
//!
//! With ε = 1e-4, every λ below 2^32 computed and compared (below 2^33 for `exact`), on an H200:
//!
//! | root | first wrong λ | in row | last n: `ltm`, ρ = 16 | last n: thread space |
//! | --- | --- | --- | --- | --- |
//! | `exact` | none | | all that the grid takes | all that the grid takes |
//! | `sqrt` | 10,619,135 | 4607 | 73,712 | 4608 |
//! | `newton` | 1,900,275 | 1949 | 31,168 | 1949 |
//! | `rsqrt` | 2,112,540 | 2055 | 32,864 | 2055 |
//!
//! The division in the reference implementation of `rsqrt` first fails at λ = 2,110,485, in row 2054. `cargo test --release -p
//! td-kernel-tests --test gpu -- --nocapture roots` reproduces the table. A launch does not rely on the table: it tests the GPU
//! that it runs on.

use std::fmt;

use crate::triangle;

/// The default ε of the float roots: the papers' value.
pub const DEFAULT_EPSILON: f32 = 1e-4;

/// How a map takes its square root.
///
/// ```
/// use td_kernel_geometry::{DEFAULT_EPSILON, Root};
///
/// let newton = Root::Newton { epsilon: DEFAULT_EPSILON };
/// assert_eq!((newton.row(9), newton.row(10)), (3, 4));
/// assert_eq!(newton.first_failure(0, 2_000_000), Some(1_900_275));
/// assert_eq!(Root::new("exact", 0.0), Some(Root::Exact));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Root {
    /// An estimate, corrected with integers: exact for every λ. The estimate is a float, or a double if a launch has units from
    /// [`WIDE`] on.
    Exact,
    /// LTM-X: `sqrtf`, and ε.
    Sqrt {
        /// Added before rounding down.
        epsilon: f32,
    },
    /// LTM-N: the guess 0x5f3759df, three Newton steps, and ε.
    Newton {
        /// Added before rounding down.
        epsilon: f32,
    },
    /// LTM-R: x times the hardware's `rsqrtf(x)`, and ε.
    Rsqrt {
        /// Added before rounding down.
        epsilon: f32,
    },
}

impl Root {
    /// The values of the key `sqrt`, in the order of messages.
    pub const NAMES: &[&str] = &["exact", "sqrt", "newton", "rsqrt"];

    /// The root of this name; `exact` ignores `epsilon`.
    pub fn new(name: &str, epsilon: f32) -> Option<Root> {
        match name {
            "exact" => Some(Root::Exact),
            "sqrt" => Some(Root::Sqrt { epsilon }),
            "newton" => Some(Root::Newton { epsilon }),
            "rsqrt" => Some(Root::Rsqrt { epsilon }),
            _ => None,
        }
    }

    /// The value of the key `sqrt`.
    pub fn name(self) -> &'static str {
        match self {
            Root::Exact => "exact",
            Root::Sqrt { .. } => "sqrt",
            Root::Newton { .. } => "newton",
            Root::Rsqrt { .. } => "rsqrt",
        }
    }

    /// The ε of a float root; `None` for the exact one.
    pub fn epsilon(self) -> Option<f32> {
        match self {
            Root::Exact => None,
            Root::Sqrt { epsilon } | Root::Newton { epsilon } | Root::Rsqrt { epsilon } => {
                Some(epsilon)
            }
        }
    }

    /// The CUDA function `td_row`, complete.
    pub fn helper(self) -> &'static str {
        match self {
            Root::Exact => include_str!("root/exact.cuh"),
            Root::Sqrt { .. } => include_str!("root/sqrt.cuh"),
            Root::Newton { .. } => include_str!("root/newton.cuh"),
            Root::Rsqrt { .. } => include_str!("root/rsqrt.cuh"),
        }
    }

    /// The CUDA type of λ. With the exact root it has 64 bits if the launch needs them.
    pub(crate) fn index(self) -> &'static str {
        if self == Root::Exact { "td_lambda" } else { "unsigned int" }
    }

    /// The cast to [`index`](Root::index), for a product that would otherwise have 32 bits.
    pub(crate) fn cast(self) -> &'static str {
        if self == Root::Exact { "(td_lambda)" } else { "" }
    }

    /// The CUDA expression that calls [`helper`](Root::helper) for the block `lambda`.
    pub fn call(self, lambda: &str) -> String {
        match self.epsilon() {
            None => format!("td_row({lambda})"),
            Some(epsilon) => format!("td_row({lambda}, {epsilon:e}f)"),
        }
    }

    /// The row of unit `lambda`, by the same arithmetic as [`helper`](Root::helper).
    ///
    /// With the exact root, it is right for every `lambda` that has a 32-bit row; with the others, below
    /// [`first_failure`](Root::first_failure). The reference implementation of `rsqrt` divides, which is more accurate than the
    /// hardware: only a test on a GPU shows where that GPU fails.
    pub fn row(self, lambda: u64) -> u32 {
        let x = 0.25 + 2.0 * lambda as f32;
        match self {
            Root::Exact => {
                let row = if lambda < WIDE {
                    (x.sqrt() - 0.5) as u32
                } else {
                    ((0.25 + 2.0 * lambda as f64).sqrt() - 0.5) as u32
                };
                if triangle(row) > lambda {
                    row - 1
                } else if row < u32::MAX && triangle(row + 1) <= lambda {
                    row + 1
                } else {
                    row
                }
            }
            Root::Sqrt { epsilon } => (x.sqrt() - 0.5 + epsilon) as u32,
            Root::Newton { epsilon } => {
                let mut y = f32::from_bits(0x5f37_59df - (x.to_bits() >> 1));
                for _ in 0..3 {
                    y *= (-0.5 * x * y).mul_add(y, 1.5);
                }
                (x * y - 0.5 + epsilon) as u32
            }
            Root::Rsqrt { epsilon } => (x * (1.0 / x.sqrt()) - 0.5 + epsilon) as u32,
        }
    }

    /// The smallest λ in `from..to` for which [`row`](Root::row) is wrong, found by testing each. A λ without a 32-bit row,
    /// from about 2^63 on, counts as wrong.
    pub fn first_failure(self, from: u64, to: u64) -> Option<u64> {
        // The start of the next row; that row's number may need more than 32 bits.
        let end = |row: u32| triangle(row) + u64::from(row) + 1;
        let mut row = Root::Exact.row(from);
        let mut next = end(row);
        (from..to).find(|&lambda| {
            if lambda >= next {
                let Some(following) = row.checked_add(1) else { return true };
                row = following;
                next = end(row);
            }
            self.row(lambda) != row
        })
    }
}

/// From this λ on, the first unit of row 65,535, the exact root is computed in 64 bits: the first unit after that row is (row +
/// 1) (row + 2) / 2, and the product would overflow 32 bits.
pub const WIDE: u64 = triangle(65_535);

impl fmt::Display for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.epsilon() {
            None => f.write_str(self.name()),
            Some(epsilon) => write!(f, "{} (epsilon {epsilon:e})", self.name()),
        }
    }
}
