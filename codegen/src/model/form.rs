//! The form of a kernel, which decides how its pairs are visited: one value each for the domain, the elements and the outputs.

/// The form of a kernel. It follows from the signature.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    pub(crate) shape: Shape,
    pub(crate) members: Members,
    pub(crate) elements: Elements,
    pub(crate) outputs: Outputs,
    /// Whether the kernel's rows are the elements with `#[column]`, and its columns those with `#[row]`: only rows can have nearest
    /// neighbours or states.
    pub(crate) is_exchanged: bool,
}

/// The pairs of one member of the domain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Those of one set.
    Triangle,
    /// Those of two sets.
    Rectangle,
}

/// The triangles or rectangles of the domain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Members {
    One,
    /// Those within many sets.
    Many,
}

/// How a pair is evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Elements {
    /// From its two elements.
    Plain,
    /// From folds of their features.
    Folded,
    /// From the product of their features.
    Product,
    /// From the product of their features, or from folds if the body `quick` asks for them.
    Quick,
}

impl Elements {
    /// Whether elements have features.
    pub(crate) fn has_features(self) -> bool {
        self != Elements::Plain
    }
}

/// What the outputs need of a visit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outputs {
    /// Nearest neighbours: rounds, so that those of all elements improve evenly.
    Nearest,
    /// States of elements: a block that has all pairs of its elements.
    States,
    /// Histograms or a state of all pairs, of which each block keeps one: few blocks.
    BlockTotals,
    /// Nothing.
    Others,
}
