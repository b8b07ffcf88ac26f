//! Pictures: the values of all pairs as a square, or some elements and pairs in a plane, with a legend.

mod bins;
mod canvas;
mod colours;
mod drawing;
mod heatmap;
mod kind;
mod legend;
mod png;
mod scene;
mod svg;
mod ticks;

pub use self::heatmap::Heatmap;
pub use self::kind::Kind;
pub use self::scene::{Link, Scene, Shape};
pub use self::ticks::Ticks;
