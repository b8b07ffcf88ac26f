//! Facts that follow from the input of a source.

use td_kernel_geometry::{Domain, Form, Space, Sweep};

use super::{Body, End, Kernel, Members, Options, Outputs, Parameter, Role, SourceInput, Variant};

/// The most bytes of a column's elements that the warps of the sweep `reduce` stage: those of 8 x 32 columns take 32 KiB.
const MAX_STAGED_BYTES: u32 = 128;

impl<'a> SourceInput<'a> {
    /// A variant's source. It visits a range of the rows if possible, which may be all of them. Not every map has ranges, and
    /// in a square the pairs of some rows also have values in all other rows. Several devices share the rows of a large set, whose
    /// values begin at any slot, which such a source takes.
    pub(super) fn variant_source(kernel: &'a Kernel, variant: &'a Variant) -> Self {
        let all = match (kernel.is_rectangle(), variant.is_of_sets()) {
            (true, false) => Domain::Rectangle,
            (true, true) => Domain::SetRectangles,
            (false, false) => Domain::Triangle,
            (false, true) => Domain::Sets,
        };
        let has_rows = variant.map.has_row_ranges()
            && kernel.options.space == Space::Block
            && !kernel.has(Role::Square);
        let domain = if has_rows { all.of_rows() } else { all };
        SourceInput { kernel, variant, domain, is_loops: false, is_list: false }
    }

    /// The source that visits the pairs of a list.
    pub(crate) fn given_pairs(kernel: &'a Kernel, variant: &'a Variant) -> Self {
        let domain = if kernel.is_rectangle() { Domain::Rectangle } else { Domain::Triangle };
        SourceInput { kernel, variant, domain, is_loops: false, is_list: false }
    }

    /// Whether it visits the pairs of a list.
    pub(crate) fn visits_entries(&self) -> bool {
        matches!(self.variant.tiling.sweep, Sweep::Entries | Sweep::Partners)
    }

    /// Whether it visits a range of the rows.
    pub(crate) fn has_rows(&self) -> bool {
        self.domain.first().is_some()
    }

    /// The CPU source. It visits a range of the rows, and is the same for all variants except those of near tiles and of given
    /// pairs.
    pub(crate) fn loops(&self) -> Self {
        let domain = if self.visits_entries() { self.domain } else { self.domain.of_rows() };
        SourceInput { domain, is_loops: true, ..*self }
    }

    /// This source of a GPU, and the CPU's.
    pub(crate) fn with_loops(self) -> [Self; 2] {
        [self, self.loops()]
    }

    /// Whether each pair is added to exact sums by itself, so that these have the same bits in near tiles and among all pairs.
    pub(crate) fn adds_each_pair(&self) -> bool {
        self.kernel.adds_each_pair() && !self.visits_entries()
    }

    /// Whether it is the CPU source that folds the features of a block's columns together, so that each column has its own
    /// sums.
    pub(crate) fn folds_columns(&self) -> bool {
        let are_joined = self.visits_entries() || self.kernel.form.outputs == Outputs::States;
        self.is_loops && self.kernel.feature.is_some() && !are_joined
    }

    /// The element counts that the source reads. One that visits a range of the rows may not need the count of all rows.
    pub(crate) fn counts(&self) -> impl Iterator<Item = &'static str> {
        let (kernel, rows) = (self.kernel, self.domain.rows());
        // Beside features that are folded, single elements are read only for pairs that exist.
        let is_product = self.variant.tiling.sweep == Sweep::Product;
        let has_folds =
            kernel.feature.is_some() && !is_product && kernel.form.outputs != Outputs::States;
        let is_read = |each: &Parameter| match each.kind.role() {
            // A part of the rows has its own last row.
            _ if self.visits_entries() => false,
            _ if self.is_loops => each.kind.role() == Role::Square,
            // Products read padded copies of the features, and large elements only for pairs that exist.
            Role::Features(end) => end.has_row() && !is_product,
            role => {
                let is_clamped = !has_folds && (!is_product || each.is_kept());
                is_clamped && matches!(role, Role::Elements | Role::Row)
            }
        };
        let is_staged = kernel.parameters.iter().any(is_read);
        // The cells of a component follow those of all elements for the one before.
        let are_apart = kernel.form.members != Members::Many
            && kernel.parameters.iter().any(|each| {
                let is_apart = each.kind.is_exact(kernel, each) || each.is_wide();
                each.end().is_some_and(End::has_row) && is_apart
            });
        // The CPU's loops over near tiles read all elements.
        let are_sorted = self.is_loops && self.variant.tiling.sweep == Sweep::Near;
        let is_used = self.bodies().any(|body| body.uses(kernel.own_name(rows)));
        let is_whole = !self.has_rows() && !self.visits_entries();
        // The sets have their own counts. Those of rows are visited without runs.
        let is_of_sets = self.domain.is_of_sets();
        let is_read = match is_of_sets {
            true => self.variant.tiling.sweep == Sweep::SetRows,
            false => is_whole || is_staged || are_apart || is_used || are_sorted,
        };
        let has_columns = !is_of_sets && self.domain.is_rectangle();
        let columns = has_columns.then_some(self.domain.columns());
        is_read.then_some(rows).into_iter().chain(columns)
    }

    /// The bodies in the source. The CPU's loops have neither lower bounds nor `quick`.
    fn bodies(&self) -> impl Iterator<Item = &'a Body> {
        let lower = self.kernel.lower.as_ref().filter(|_| !self.is_loops);
        [&self.kernel.body].into_iter().chain(&self.kernel.feature).chain(lower).chain(self.quick())
    }

    /// The body `quick`, if the source has it.
    pub(crate) fn quick(&self) -> Option<&'a Body> {
        let is_product = self.variant.tiling.sweep == Sweep::Product && !self.is_loops;
        self.kernel.quick.as_ref().filter(|_| is_product)
    }

    /// Whether the function that the source calls for each pair has this element. With a body `quick`, some elements are only
    /// for that, or only for the others.
    pub(crate) fn reads(&self, element: &Parameter) -> bool {
        let name = element.plain_name();
        match self.quick() {
            Some(quick) => quick.uses(&name),
            None => self.kernel.quick.is_none() || self.kernel.body.uses(&name),
        }
    }

    /// Whether the source reads the count of all elements, or of all rows.
    pub(crate) fn takes_n(&self) -> bool {
        self.counts().any(|count| count == self.domain.rows())
    }

    /// Whether blocks stage these elements. A filter stages only those that its source uses. Pairs within many sets read
    /// elements directly.
    pub(crate) fn stages(&self, elements: &Parameter) -> bool {
        let is_used = || {
            let lower = self.kernel.lower.as_ref();
            lower.is_some_and(|lower| lower.uses(&elements.plain_name()))
        };
        match self.variant.tiling.sweep {
            Sweep::Filter => is_used(),
            Sweep::Sets | Sweep::SetRows => false,
            Sweep::Reduce => self.stages_columns(),
            _ => true,
        }
    }

    /// Whether each warp of the sweep `reduce` stages elements of columns: a structure's size is only known to rustc, and large
    /// elements do not fit a block's shared memory.
    pub(crate) fn stages_columns(&self) -> bool {
        let columns =
            self.kernel.with_role(Role::Elements).chain(self.kernel.with_role(Role::Column));
        let bytes = columns.map(Parameter::size).sum::<Option<u32>>();
        bytes.is_some_and(|bytes| (1..=MAX_STAGED_BYTES).contains(&bytes))
    }

    /// The options of the map's source.
    pub(crate) fn form(&self) -> Form {
        let Options { root, space, diagonal, .. } = self.kernel.options;
        Form::new(self.domain, space)
            .with_root(root)
            .with_linear(self.variant.linear)
            .with_diagonal(diagonal)
    }
}
