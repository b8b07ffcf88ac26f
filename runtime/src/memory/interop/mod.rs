//! Conversions for other crates, each behind a feature of its name.

#[cfg(feature = "ndarray")]
mod ndarray;
#[cfg(feature = "serde")]
mod serde;
