//! A kernel after all checks, and before any text is written.

use proc_macro2::{Ident, TokenStream};
use syn::Visibility;
use td_kernel_maps::{Domain, Form, Map, Root, Space, Sweep, Tiling};

mod kind;

pub(crate) use self::kind::{Argument, Kind, Role};
use crate::attributes::Attributes;
use crate::cuda_type::{self, CudaType};
use crate::scan::Scan;

/// A checked kernel: the single input of the CUDA text and of the Rust expansion.
pub(crate) struct Kernel {
    /// The name of the function, and of the generated type.
    pub(crate) name: Ident,
    /// The attributes that the generated items keep.
    pub(crate) attributes: Attributes,
    /// The function's visibility, which the generated items keep.
    pub(crate) visibility: Visibility,
    /// The options of the attribute.
    pub(crate) options: Options,
    /// The texts that a launch chooses from, the largest tiles first; at least one.
    pub(crate) variants: Vec<Variant>,
    /// The parameters, in the order of the signature.
    pub(crate) parameters: Vec<Parameter>,
    /// What happens to one pair.
    pub(crate) body: Body,
}

/// The options of the attribute that are the same in all variants, with their defaults filled in.
pub(crate) struct Options {
    /// The root inside the map.
    pub(crate) root: Root,
    /// What the map's units are.
    pub(crate) space: Space,
    /// Whether the pairs (i, i) belong to the work.
    pub(crate) diagonal: bool,
    /// The path of the runtime crate.
    pub(crate) runtime: TokenStream,
}

/// What differs between the texts of one kernel. A launch takes the variant for its n.
#[derive(Clone, Copy)]
pub(crate) struct Variant {
    /// The map, which owns the geometry of the launch.
    pub(crate) map: &'static dyn Map,
    /// Whether the map's grid is the one-dimensional one.
    pub(crate) linear: bool,
    /// How the threads of a block share its pairs.
    pub(crate) tiling: Tiling,
}

/// What one text is written for: a kernel, one of its variants, and a domain.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) variant: &'a Variant,
    /// The pairs that the text visits.
    pub(crate) domain: Domain,
}

impl Text<'_> {
    /// The text for a range of rows, where there is one: not every map has ranges, and in a square the pairs of some
    /// rows also have values in all other rows.
    pub(crate) fn of_rows(&self) -> Option<Self> {
        let is_able = self.variant.map.has_row_ranges()
            && self.kernel.options.space == Space::Block
            && !self.kernel.has(Role::Square);
        is_able.then_some(Text { domain: Domain::Rows, ..*self })
    }

    /// Whether the text reads n. A text for a range of rows may not need it.
    pub(crate) fn takes_n(&self) -> bool {
        let is_read = self.kernel.has(Role::Elements) || self.kernel.body.uses("n");
        self.domain == Domain::Triangle || is_read
    }

    /// What the map's text is written for.
    pub(crate) fn form(&self) -> Form {
        let Options { root, space, diagonal, .. } = self.kernel.options;
        let Variant { linear, tiling: Tiling { side, .. }, .. } = *self.variant;
        Form::new(self.domain, space, side)
            .with_root(root)
            .with_linear(linear)
            .with_diagonal(diagonal)
    }
}

/// One parameter of the pair body.
pub(crate) struct Parameter {
    /// Its name, in Rust and in the body.
    pub(crate) name: Ident,
    /// What the kernel does with the parameter.
    pub(crate) kind: &'static dyn Kind,
    /// The CUDA type of its elements, or of a scalar itself.
    pub(crate) cuda: CudaType,
    /// The same type in Rust.
    pub(crate) rust: TokenStream,
}

/// The user's CUDA C++, and where it was read from.
pub(crate) struct Body {
    /// The text, verbatim.
    pub(crate) text: String,
    /// The file it stands in, as messages should show it.
    pub(crate) file: String,
    /// The line of that file on which the text starts.
    pub(crate) line: usize,
    /// What is known of the text.
    pub(crate) scan: Scan,
    /// For `include_str!`: its argument, which the expansion repeats so that rustc watches the file.
    pub(crate) included: Option<TokenStream>,
}

impl Body {
    /// Whether the body uses this name. A body that includes a file may use any name.
    pub(crate) fn uses(&self, name: &str) -> bool {
        self.scan.names.contains(name) || self.scan.names.contains("include")
    }
}

impl Kernel {
    /// The kernel's name in CUDA: without the `r#` of a raw identifier.
    pub(crate) fn plain_name(&self) -> String {
        plain(&self.name)
    }

    /// What the texts are written for: one for each variant.
    pub(crate) fn texts(&self) -> impl Iterator<Item = Text<'_>> {
        self.variants.iter().map(|variant| Text { kernel: self, variant, domain: Domain::Triangle })
    }

    /// Whether a parameter has this role.
    pub(crate) fn has(&self, role: Role) -> bool {
        self.of_role(role).next().is_some()
    }

    /// The parameters of this role.
    pub(crate) fn of_role(&self, role: Role) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(move |each| each.kind.role() == role)
    }

    /// The name by which the body asks for the length of a slice without `#[each]`, if it does.
    pub(crate) fn length_of(&self, slice: &Parameter) -> Option<String> {
        let name = format!("{}_length", slice.plain_name());
        // A parameter of that name belongs to the user.
        let is_own = self.parameters.iter().any(|each| each.plain_name() == name);
        (self.body.uses(&name) && !is_own).then_some(name)
    }

    /// How many of the first variants are optional: left out where their tiles do not fit a block's shared memory.
    /// These are mirrored tiles of structs, whose size only rustc knows; the sweep over rows remains.
    pub(crate) fn optional_variants(&self) -> usize {
        let is_known = self.of_role(Role::Square).all(|each| each.size().is_some());
        let mirrored =
            self.variants.iter().filter(|variant| variant.tiling.sweep == Sweep::Mirror).count();
        if is_known || mirrored == self.variants.len() { 0 } else { mirrored }
    }

    /// Whether some parameter tells n, so that the launch need not be given it.
    pub(crate) fn knows_n(&self) -> bool {
        self.parameters.iter().any(Parameter::knows_n)
    }
}

impl Parameter {
    /// The parameter's name in CUDA: without the `r#` of a raw identifier.
    pub(crate) fn plain_name(&self) -> String {
        plain(&self.name)
    }

    /// Whether its value goes to a slot for each pair.
    pub(crate) fn is_slot(&self) -> bool {
        matches!(self.kind.role(), Role::Packed | Role::Square)
    }

    /// The size in bytes of its type, where it is known here: only rustc knows the size of a struct.
    pub(crate) fn size(&self) -> Option<u32> {
        cuda_type::size(&self.cuda)
    }

    /// Whether an element is small enough for a thread to keep a few in registers.
    pub(crate) fn is_kept(&self) -> bool {
        self.size().is_some_and(|bytes| bytes <= 16)
    }

    /// Whether the argument's length tells n.
    pub(crate) fn knows_n(&self) -> bool {
        matches!(self.kind.role(), Role::Elements | Role::Packed | Role::Square)
    }
}

fn plain(name: &Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").map(str::to_owned).unwrap_or(name)
}
