//! A kernel after all checks, before any source is generated.

use proc_macro2::{Ident, TokenStream};
use syn::{Expr, LitStr, Visibility};
use td_kernel_geometry::{Domain, Map, Root, SET_TILES, Space, Sweep, Tiling};
pub(crate) mod bytes;
mod count;
mod exchange;
mod form;
mod kind;
mod parameter;
mod source_input;
mod taken;

pub(crate) use self::count::Count;
pub(crate) use self::form::{Elements, Form, Members, Outputs, Shape};
pub(crate) use self::kind::{Argument, End, Kind, Role};
pub(crate) use self::taken::Taken;
use crate::attributes::Attributes;
use crate::cuda_type::{self, CudaType, Origin};
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

/// The minimum repetitions of a large body's loops.
const LARGE: u64 = 64;

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
#[derive(Clone, Default)]
pub struct Refused {
    /// Over given pairs.
    pub pairs: Option<String>,
    /// Over a range of the rows.
    pub rows: Option<String>,
    /// On several devices.
    pub devices: Option<String>,
    /// On all of several devices together: in chunks, each launch is on one of them.
    pub divided: Option<String>,
    /// On devices that share them with other processes: only over lists.
    pub processes: Option<String>,
    /// On GPUs beside a CPU: only over kept lists.
    pub mixed: Option<String>,
    /// Of every variant, to compare their times.
    pub tuning: Option<String>,
    /// Described by a report: only over lists.
    pub reports: Option<String>,
    /// Over a list of near pairs that they keep.
    pub kept: Option<String>,
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

impl Kernel {
    /// Whether one of the bodies uses this name.
    pub(crate) fn uses(&self, name: &str) -> bool {
        self.bodies().any(|body| body.uses(name))
    }

    /// Whether one of the bodies, or the prelude, contains this name.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        self.bodies().chain(&self.prelude).any(|body| body.uses(name))
    }

    /// The prelude and the bodies that start within a line, after their `r#"`.
    pub(crate) fn begun_in_lines(&self) -> impl Iterator<Item = &Body> {
        let begins = |text: &str| text.lines().next().is_some_and(|first| !first.trim().is_empty());
        let all = self.prelude.iter().chain(self.bodies());
        all.filter(move |body| body.column > 0 && begins(&body.text))
    }

    /// The bodies: `pair`, and with features also `feature`, the lower bound and `quick`.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &Body> {
        [&self.body].into_iter().chain(&self.feature).chain(&self.lower).chain(&self.quick)
    }

    /// Whether the bodies are so short that loops around them are unrolled. The code of longer ones would outgrow the
    /// instruction cache, and their variables the registers.
    pub(crate) fn has_short_bodies(&self) -> bool {
        is_short(&self.body) && self.feature.as_ref().is_none_or(is_short)
    }

    /// Whether a compiler would unroll the body's loops into so much code that a thread should call it for each of its pairs.
    /// Inlined for each pair, the Levenshtein distance of 16 letters took four times as long to compile in a trial, and four
    /// times as long to run.
    pub(crate) fn has_large_body(&self) -> bool {
        self.body.scan.repetitions() >= LARGE
    }

    /// The scalars and slices that this body uses.
    pub(crate) fn inputs(&self, body: &Body) -> impl Iterator<Item = &Parameter> {
        self.with_role(Role::Input).filter(move |each| self.uses_input(body, each))
    }

    /// Whether a body uses a scalar or a slice, or its length.
    pub(crate) fn uses_input(&self, body: &Body, input: &Parameter) -> bool {
        let length = self.length_of(input);
        body.uses(&input.plain_name()) || length.is_some_and(|length| body.uses(&length))
    }

    /// The size of a feature in bytes, which is the same for all features of a kernel.
    pub(crate) fn feature_bytes(&self) -> Option<u32> {
        let mut features = self.parameters.iter().filter(|each| each.features().is_some());
        features.next().and_then(Parameter::size)
    }

    /// The kernel's name in CUDA: without the `r#` of a raw identifier.
    pub(crate) fn plain_name(&self) -> String {
        plain(&self.name)
    }

    /// One source for each variant.
    pub(crate) fn sources(&self) -> impl Iterator<Item = SourceInput<'_>> {
        self.variants.all.iter().map(|variant| SourceInput::variant_source(self, variant))
    }

    /// The CPU source of most launches: that of near tiles, if there is one.
    pub(crate) fn loops_source(&self) -> Option<SourceInput<'_>> {
        let inputs: Vec<_> = self.sources().collect();
        let near = inputs.iter().find(|input| input.variant.tiling.sweep == Sweep::Near);
        near.or(inputs.first()).map(SourceInput::loops)
    }

    /// Whether launches over near tiles or all pairs add each pair to exact sums by itself.
    pub(crate) fn adds_each_pair(&self) -> bool {
        self.near.is_some() && self.options.deterministic
    }

    /// The CPU source of launches that visit all pairs although there is one for near tiles. If each pair is added by itself,
    /// vectorised loops would save little.
    pub(crate) fn all_pairs_loops(&self) -> Option<SourceInput<'_>> {
        let can_choose = self.near.is_some() && !self.is_nearest() && !self.adds_each_pair();
        let first = self.sources().next().filter(|_| can_choose);
        first.as_ref().map(SourceInput::loops)
    }

    /// The source that lists near pairs for later launches, if the kernel can visit them.
    pub(crate) fn list_source(&self) -> Option<SourceInput<'_>> {
        let near = self.sources().find(|input| input.variant.tiling.sweep == Sweep::Near)?;
        self.variants.refused.kept.is_none().then_some(SourceInput { is_list: true, ..near })
    }

    /// The source that visits given pairs, if there is one.
    pub(crate) fn entries_source(&self) -> Option<SourceInput<'_>> {
        self.variants.entries.as_ref().map(|variant| SourceInput::given_pairs(self, variant))
    }

    /// The sources that visit given pairs by element.
    pub(crate) fn partners_sources(&self) -> impl Iterator<Item = SourceInput<'_>> {
        self.variants.partners.iter().map(|variant| SourceInput::given_pairs(self, variant))
    }

    /// Whether a parameter has this role.
    pub(crate) fn has(&self, role: Role) -> bool {
        self.with_role(role).next().is_some()
    }

    /// The parameters of this role.
    pub(crate) fn with_role(&self, role: Role) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(move |each| each.kind.role() == role)
    }

    /// The name of the length of a slice without `#[each]`, if the body uses it.
    pub(crate) fn length_of(&self, slice: &Parameter) -> Option<String> {
        let name = format!("{}_length", slice.plain_name());
        // A parameter of that name belongs to the user.
        let is_own = self.parameters.iter().any(|each| each.plain_name() == name);
        (self.uses(&name) && !is_own).then_some(name)
    }

    /// How many of the first variants are optional: dropped if their tiles do not fit a block's shared memory. These are
    /// mirrored tiles of structs, whose size only rustc knows; the sweep `rows` remains.
    pub(crate) fn optional_variants(&self) -> usize {
        let is_known = self.with_role(Role::Square).all(|each| each.size().is_some());
        let mirrored = self
            .variants
            .all
            .iter()
            .filter(|variant| variant.tiling.sweep == Sweep::Mirror)
            .count();
        if is_known || mirrored == self.variants.all.len() { 0 } else { mirrored }
    }

    /// Whether a parameter's type is a user's struct, whose definition only rustc knows.
    pub(crate) fn has_structs(&self) -> bool {
        self.parameters.iter().any(|each| each.cuda.origin == Origin::User)
    }

    /// The definitions of the 16-bit floats among the types of parameters. (A fold's type is never one.)
    pub(crate) fn halves(&self) -> impl Iterator<Item = &'static str> {
        let types = self.parameters.iter().map(|each| &each.cuda);
        let mut names: Vec<_> = types.flat_map(|cuda| cuda_type::halves(&cuda.name)).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter()
    }

    /// Whether the pairs are those of two sets.
    pub(crate) fn is_rectangle(&self) -> bool {
        self.form.shape == Shape::Rectangle
    }

    /// The functions of its sources that join states, one for each `Reduce`, without the kernel's name.
    pub(crate) fn joins(&self) -> impl Iterator<Item = String> {
        let states = self.parameters.iter().filter(|each| each.kind.has_states());
        states.map(|each| format!("join_{}", each.plain_name()))
    }

    /// Whether it searches for nearest neighbours.
    pub(crate) fn is_nearest(&self) -> bool {
        self.form.outputs == Outputs::Nearest
    }

    /// NVRTC's options for the GPU sources. With them, functions of a prelude run on the device even without `__device__`.
    pub(crate) fn nvrtc_options(&self) -> Vec<&'static str> {
        let fmad = (!self.options.fmad).then_some("--fmad=false");
        let prelude_option = self.prelude.as_ref().map(|_| "--device-as-default-execution-space");
        fmad.into_iter().chain(prelude_option).collect()
    }

    /// The C++ compiler's options for the CPU source.
    pub(crate) fn loops_options(&self) -> &'static [&'static str] {
        if self.options.fmad { &["-ffp-contract=fast"] } else { &[] }
    }
}

fn plain(name: &Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").map(str::to_owned).unwrap_or(name)
}
