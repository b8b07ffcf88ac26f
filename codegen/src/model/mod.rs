//! A kernel after all checks, before any source is generated.

use proc_macro2::{Ident, TokenStream};
use syn::{Expr, LitStr, Visibility};
use td_kernel_geometry::{Domain, Map, Root, SET_TILES, Space, Sweep, Tiling};

pub(crate) mod bytes;
mod count;
mod exchange;
mod form;
mod kernel;
mod kind;
mod parameter;
mod source_input;
mod taken;

pub(crate) use self::count::Count;
pub(crate) use self::form::{Elements, Form, Members, Outputs, Shape};
pub(crate) use self::kind::{About, Argument, End, Kind, Role};
pub(crate) use self::taken::Taken;
use crate::attributes::Attributes;
use crate::cuda_type::CudaType;
use crate::scan::Scan;

/// A checked kernel: the single input of the kernel source and of the Rust expansion.
pub(crate) struct Kernel {
    /// The name of the function, and of the generated type.
    pub(crate) name: Ident,
    /// The attributes that the generated items keep.
    pub(crate) attributes: Attributes,
    /// The function's visibility, which the generated items keep.
    pub(crate) visibility: Visibility,
    /// The options of the attribute.
    pub(crate) options: Options,
    /// The domain, the elements and the outputs.
    pub(crate) form: Form,
    /// The variants that a launch chooses from.
    pub(crate) variants: Variants,
    /// The parameters that a launch takes, in the order of the signature.
    pub(crate) parameters: Vec<Parameter>,
    /// The folds of a pair, in the order of the signature. Without a `quick` body, a product of features is a fold too.
    pub(crate) folds: Vec<Fold>,
    /// The product of a pair's features, if the body, or the body `quick`, uses that.
    pub(crate) dot: Option<Dot>,
    /// The Rust constants that the user's C++ can use.
    pub(crate) constants: Vec<Constant>,
    /// The user's definitions before the bodies.
    pub(crate) prelude: Option<Body>,
    /// The body for one feature of a pair, if elements have features.
    pub(crate) feature: Option<Body>,
    /// A lower bound of the values that a pair pushes, or for the pairs of two boxes.
    pub(crate) lower: Option<Body>,
    /// The body that evaluates a pair by the product of its features, or leaves it to the other bodies.
    pub(crate) quick: Option<Body>,
    /// The boxes, if the lower bound is for boxes.
    pub(crate) near: Option<NearBoxes>,
    /// The body for one pair.
    pub(crate) body: Body,
}

/// `#[fold] x: T`: a pair's state while its features are visited.
pub(crate) struct Fold {
    /// Its name, in Rust and in the bodies.
    pub(crate) name: Ident,
    /// Its type in CUDA.
    pub(crate) cuda: CudaType,
    /// The bytes of the type.
    pub(crate) size: u32,
    /// The C++ expression of its start value, if not zero.
    pub(crate) start: Option<LitStr>,
}

/// `#[dot] x: f32`, or `i32` for 8-bit integers: the product of a pair's features. On devices without suitable tensor cores, it and
/// its error bound are folds, or `quick` is ignored.
pub(crate) struct Dot {
    /// Its name in the body.
    pub(crate) name: String,
    /// Its type in CUDA, `float` or `int`.
    pub(crate) number: String,
    /// Whether the body uses its error bound.
    pub(crate) has_error: bool,
}

impl Dot {
    /// Whether this is the name of the error bound.
    pub(crate) fn is_error(&self, name: &str) -> bool {
        name.strip_suffix("_error") == Some(&self.name)
    }
}

/// The boxes of elements, by which a lower bound excludes pairs that are far apart: those of one set, or of rows and of columns.
pub(crate) struct NearBoxes {
    pub(crate) sets: Vec<Boxed>,
}

/// The elements of a set that have boxes.
pub(crate) struct Boxed {
    /// The name of the elements' parameter.
    pub(crate) name: String,
    /// The members of a struct that boxes have. Empty for numbers and vectors, which have all.
    pub(crate) members: Vec<String>,
    /// The members by which elements are sorted, each with a dot; empty for the element itself.
    pub(crate) coordinates: Vec<String>,
}

/// `NAME: type = value`: a Rust constant, whose value only rustc knows.
pub(crate) struct Constant {
    /// Its name in C++.
    pub(crate) name: Ident,
    /// Its type in Rust, a number or `bool`.
    pub(crate) number: &'static str,
    /// The expression of its value.
    pub(crate) value: Expr,
}

/// The most tokens of a short body.
const SHORT: usize = 100;

/// Whether a body is so short that loops around it are unrolled.
pub(crate) fn is_short(body: &Body) -> bool {
    body.scan.length.is_some_and(|length| length <= SHORT)
}

/// The options of the attribute that are the same in all variants, with their defaults filled in.
pub(crate) struct Options {
    /// The root inside the map.
    pub(crate) root: Root,
    /// The map's unit.
    pub(crate) space: Space,
    /// Whether the pairs (i, i) are visited.
    pub(crate) diagonal: bool,
    /// Whether sums of floats have the same bits in every run.
    pub(crate) deterministic: bool,
    /// Whether compilers may fuse products and sums of the bodies.
    pub(crate) fmad: bool,
    /// The path of the runtime crate.
    pub(crate) runtime: TokenStream,
}

/// The variants of a kernel.
pub(crate) struct Variants {
    /// Those for all pairs of a domain, the largest tiles first; at least one.
    pub(crate) all: Vec<Variant>,
    /// How many of the last ones are fallbacks, for when no other variant fits a block's shared memory.
    pub(crate) fallbacks: usize,
    /// The variant that visits given pairs, if the outputs support it.
    pub(crate) entries: Option<Variant>,
    /// The variants that visit given pairs by element, if the outputs support it.
    pub(crate) partners: Vec<Variant>,
    /// Why launches of some ways are not supported.
    pub(crate) refused: Refused,
}

/// Why launches are not supported, and what to write instead, by the ways of launching. `None` for those that are.
#[derive(Clone)]
pub struct Refused {
    /// Over given pairs.
    pub pairs: Option<String>,
    /// Over a range of the rows.
    pub rows: Option<String>,
    /// On several devices.
    pub devices: Option<String>,
    /// On all of several devices together: in chunks, each launch is on one of them.
    pub divided: Option<String>,
    /// Of every variant, to compare their times.
    pub tuning: Option<String>,
    /// Over a list of near pairs that they keep.
    pub kept: Option<String>,
    /// With a product from tensor cores: it is folded.
    pub products: Option<String>,
}

/// The part of a kernel that differs between its sources. A launch takes the variant for its n.
#[derive(Clone, Copy)]
pub(crate) struct Variant {
    /// The map, which determines the geometry of the launch.
    pub(crate) map: &'static dyn Map,
    /// Whether the map's grid is the one-dimensional one.
    pub(crate) linear: bool,
    /// How the threads of a block share its pairs.
    pub(crate) tiling: Tiling,
}

impl Variant {
    /// The variant of a map with one grid.
    pub(crate) fn new(map: &'static dyn Map, sweep: Sweep, side: u32) -> Variant {
        Variant { map, linear: false, tiling: Tiling::new(sweep, side) }
    }

    /// Whether it visits the pairs of many sets.
    pub(crate) fn is_of_sets(&self) -> bool {
        self.tiling.sweep.is_of_sets() || self.map.name() == SET_TILES.name()
    }
}

/// The input of one source: a kernel, one of its variants, and a domain.
#[derive(Clone, Copy)]
pub(crate) struct SourceInput<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) variant: &'a Variant,
    /// The pairs that the source visits.
    pub(crate) domain: Domain,
    /// Whether it is the CPU's source instead of a GPU's.
    pub(crate) is_loops: bool,
    /// Whether it lists near pairs, and does not run the body.
    pub(crate) is_list: bool,
}

/// One parameter of the pair body.
#[derive(Clone)]
pub(crate) struct Parameter {
    /// Its name, in Rust and in the body.
    pub(crate) name: Ident,
    /// The kind of the parameter.
    pub(crate) kind: &'static dyn Kind,
    /// The CUDA type of its elements, or of the scalar.
    pub(crate) cuda: CudaType,
    /// The same type in Rust.
    pub(crate) rust: TokenStream,
    /// For features and outputs: the name of their type, as written.
    pub(crate) written: Option<Ident>,
    /// The number of neighbours of each element, or 0.
    pub(crate) neighbours: u32,
    /// For a number of a vector: the name of the vector, to which the body adds.
    pub(crate) number_of: Option<String>,
}

/// The user's CUDA C++, and where it was read from.
pub(crate) struct Body {
    /// The C++, verbatim.
    pub(crate) text: String,
    /// Its file, as messages show it.
    pub(crate) file: String,
    /// The line of that file on which it starts.
    pub(crate) line: usize,
    /// The columns of that line before it.
    pub(crate) column: usize,
    /// The result of its scan.
    pub(crate) scan: Scan,
    /// For `include_str!`: its argument, which the expansion repeats so that rustc watches the file.
    pub(crate) included: Option<TokenStream>,
}

impl Body {
    /// Whether the body uses this name. A body that includes a file may use any name.
    pub(crate) fn uses(&self, name: &str) -> bool {
        self.scan.names.contains(name) || self.includes()
    }

    /// Whether it includes a file.
    pub(crate) fn includes(&self) -> bool {
        self.scan.includes()
    }
}

impl Constant {
    /// Its name in CUDA: without the `r#` of a raw identifier.
    pub(crate) fn plain_name(&self) -> String {
        plain(&self.name)
    }
}

impl Fold {
    /// Its name in CUDA: without the `r#` of a raw identifier.
    pub(crate) fn plain_name(&self) -> String {
        plain(&self.name)
    }

    /// The C++ expression of its start value; empty for zero.
    pub(crate) fn start_value(&self) -> String {
        self.start.as_ref().map(LitStr::value).unwrap_or_default()
    }
}

fn plain(name: &Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").map(str::to_owned).unwrap_or(name)
}
