//! Plots: what is drawn on, and the kinds of plots that experiments have.

pub(crate) mod bars;
pub(crate) mod canvas;
pub(crate) mod lines;
