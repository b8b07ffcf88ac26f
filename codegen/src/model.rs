//! What a kernel is, after everything about it has been checked and before any text is written.

use proc_macro2::{Ident, TokenStream};
use td_kernel_maps::{Form, Map, Root, Space};

use crate::cuda::types::{self, CudaType};
use crate::scan::Scan;

/// A checked kernel: the single input of the CUDA text and of the Rust expansion.
pub(crate) struct Kernel {
    /// The function's name, and the generated type's.
    pub(crate) name: Ident,
    /// Documentation and lint levels, which the generated type keeps.
    pub(crate) attributes: Vec<TokenStream>,
    /// What is among them.
    pub(crate) marks: Marks,
    /// `cfg`s, which every generated item keeps.
    pub(crate) conditions: Vec<TokenStream>,
    /// The function's visibility, which the generated items keep.
    pub(crate) visibility: TokenStream,
    /// The options of the attribute.
    pub(crate) options: Options,
    /// The texts that a launch chooses from, the largest tiles first.
    pub(crate) variants: Vec<Variant>,
    /// The parameters, in the order of the signature.
    pub(crate) parameters: Vec<Parameter>,
    /// What happens to one pair.
    pub(crate) body: Body,
}

/// Which attributes the user has written that matter to the generated items.
#[derive(Clone, Copy, Default)]
pub(crate) struct Marks {
    /// There is documentation.
    pub(crate) documented: bool,
    /// The kernel is deprecated.
    pub(crate) deprecated: bool,
}

/// The options of the attribute, with their defaults filled in.
pub(crate) struct Options {
    /// What the text is written for now: one of the kernel's variants.
    pub(crate) variant: Variant,
    /// The root inside the map.
    pub(crate) root: Root,
    /// What the map's units are.
    pub(crate) space: Space,
    /// Whether the pairs (i, i) belong to the work.
    pub(crate) diagonal: bool,
    /// ρ: threads per side of a block, in the classic sweep.
    pub(crate) block: u32,
    /// The path of the runtime crate.
    pub(crate) runtime: TokenStream,
}

/// What differs between the texts of one kernel, of which a launch takes the one for its n.
#[derive(Clone, Copy)]
pub(crate) struct Variant {
    /// The map, which owns the geometry of the launch.
    pub(crate) map: &'static dyn Map,
    /// Whether the map's grid is the one-dimensional one.
    pub(crate) linear: bool,
    /// How threads visit a block's pairs.
    pub(crate) sweep: Sweep,
    /// Elements per side of a tile, in every sweep but the classic one.
    pub(crate) tile: u32,
    /// How the tile's threads share the columns and rows of a tile whose values are stored.
    pub(crate) stores: Stores,
}

/// How the threads of a block share a tile in the sweeps that store values, over rows and mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stores {
    /// How many columns a thread has of each of its rows. More are less work for each pair, fewer make
    /// more threads of a tile.
    pub(crate) columns: u32,
    /// How many of them lie side by side, so that their values are stored together.
    pub(crate) neighbours: u32,
    /// The rows that a block's threads have at a time.
    pub(crate) height: u32,
    /// How many rows of a thread the compiler is asked to interleave.
    pub(crate) unroll: u32,
}

impl Stores {
    /// For sweeps that store nothing in this way.
    pub(crate) const NONE: Stores = Stores { columns: 1, neighbours: 1, height: 1, unroll: 1 };
}

/// How the threads of a block visit its pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sweep {
    /// One thread a pair.
    Classic,
    /// Each thread keeps rows of a tile, and all go along its columns.
    Columns,
    /// Threads lie along the rows of a tile. Of a square, both halves are computed.
    Rows,
    /// Each pair of a tile is computed once, and the tile goes to both halves of a square.
    Mirror,
}

impl Sweep {
    /// The names, as the attribute has them.
    pub(crate) const NAMES: &'static [&'static str] = &["classic", "columns", "rows", "mirror"];

    /// The sweep of this name.
    pub(crate) fn of(name: &str) -> Option<Sweep> {
        Some(match name {
            "classic" => Sweep::Classic,
            "columns" => Sweep::Columns,
            "rows" => Sweep::Rows,
            "mirror" => Sweep::Mirror,
            _ => return None,
        })
    }
}

impl Options {
    /// What the map's text is written for.
    pub(crate) fn form(&self) -> Form {
        let Options { root, space, diagonal, .. } = *self;
        Form { root, space, linear: self.variant.linear, diagonal, side: self.side() }
    }

    /// Elements per side of what one block covers.
    pub(crate) fn side(&self) -> u32 {
        match self.variant.sweep {
            Sweep::Classic => self.block,
            _ => self.variant.tile,
        }
    }

    /// The warps that share a tile in the sweep over columns, each with as many of its columns: with one warp a
    /// block, many GPUs have room for no more blocks long before they have none for warps.
    fn warps(&self) -> u32 {
        if self.side().is_multiple_of(64) { 4 } else { 1 }
    }

    /// In the sweep over columns: how many columns of a tile one warp has.
    pub(crate) fn warp_columns(&self) -> u32 {
        self.side() / self.warps()
    }

    /// The threads of a block, along x and y.
    pub(crate) fn threads(&self) -> [u32; 2] {
        let Variant { tile, stores: Stores { columns, height, .. }, .. } = self.variant;
        match self.variant.sweep {
            Sweep::Classic => [self.block; 2],
            Sweep::Columns => [32, self.warps()],
            Sweep::Rows | Sweep::Mirror => [tile / columns, height],
        }
    }
}

/// One parameter of the pair body.
pub(crate) struct Parameter {
    /// Its name, in Rust and in the body.
    pub(crate) name: Ident,
    /// What the kernel does with it.
    pub(crate) kind: Kind,
    /// The type of its elements (of itself, for a scalar) in CUDA.
    pub(crate) cuda: CudaType,
    /// The same type in Rust.
    pub(crate) rust: TokenStream,
}

/// What the kernel does with a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `#[each] x: &[T]`: the pair's two elements, staged through shared memory.
    Each,
    /// `x: &[T]`: a raw pointer to constant elements.
    Slice,
    /// `x: &mut [T]`: a raw pointer.
    SliceMut,
    /// `x: T`, by value.
    Scalar,
    /// `x: &mut Packed<T>`: one slot a pair.
    Packed,
    /// `x: &mut Square<T>`: both halves of an n x n matrix.
    Square,
    /// `x: &mut Sum<T>`: one total.
    Sum,
    /// `x: &mut Pairs`: a list of pairs.
    Pairs,
}

/// The user's CUDA C++, with the place it was read from.
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

impl Kernel {
    /// The kernel's name in CUDA: without the `r#` of a raw identifier.
    pub(crate) fn plain_name(&self) -> String {
        plain(&self.name)
    }

    /// Whether a parameter is of this kind.
    pub(crate) fn has(&self, kind: Kind) -> bool {
        self.of_kind(kind).next().is_some()
    }

    /// The parameters of this kind.
    pub(crate) fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(move |each| each.kind == kind)
    }

    /// The name by which the body asks for the length of a slice without `#[each]`, if it does.
    pub(crate) fn length_of(&self, parameter: &Parameter) -> Option<String> {
        if !matches!(parameter.kind, Kind::Slice | Kind::SliceMut) {
            return None;
        }
        let name = format!("{}_length", parameter.plain_name());
        let names = &self.body.scan.names;
        // An included file can ask for it.
        let is_asked = names.contains(name.as_str()) || names.contains("include");
        // A parameter of that name is the user's own.
        let is_own = self.parameters.iter().any(|each| each.plain_name() == name);
        (is_asked && !is_own).then_some(name)
    }

    /// The slots to a multiple of which the segments of rows are moved, in the sweep over rows. From a row
    /// of a thread to its next the start of packed rows grows by a multiple of half the height, and that of
    /// a square's rows by one of the height: so all rows of a thread are moved alike.
    pub(crate) fn alignment(&self) -> u32 {
        let height = self.options.variant.stores.height;
        if self.has(Kind::Square) { height } else { height / 2 }
    }

    /// How many of the first variants are left out where their tiles do not fit a block's shared memory: mirrored
    /// tiles of structs, whose size only rustc knows, where the sweep over rows can stand in.
    pub(crate) fn optional_variants(&self) -> usize {
        let is_known = self.of_kind(Kind::Square).all(|each| each.size().is_some());
        let mirrored =
            self.variants.iter().filter(|variant| variant.sweep == Sweep::Mirror).count();
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
        matches!(self.kind, Kind::Packed | Kind::Square)
    }

    /// The bytes of its type, where they are known here: of a struct, only rustc knows them.
    pub(crate) fn size(&self) -> Option<u32> {
        types::size(&self.cuda)
    }

    /// Whether an element is so small that a thread keeps a few in registers.
    pub(crate) fn is_kept(&self) -> bool {
        self.size().is_some_and(|bytes| bytes <= 16)
    }

    /// Whether the argument's length tells n.
    pub(crate) fn knows_n(&self) -> bool {
        matches!(self.kind, Kind::Each | Kind::Packed | Kind::Square)
    }
}

fn plain(name: &Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").map(str::to_owned).unwrap_or(name)
}
