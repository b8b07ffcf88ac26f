//! Facts about a kernel, from its parts.

use td_kernel_geometry::Sweep;

use super::{Body, Kernel, Outputs, Parameter, Role, Shape, SourceInput, is_short, plain};
use crate::cuda_type::{self, Origin};

/// The minimum repetitions of a large body's loops.
const LARGE: u64 = 64;

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

    /// The bodies: `pair`, and those of `feature`, `lower_bound` and `quick` that there are.
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
        let states = self.parameters.iter().filter(|each| each.kind.about().has_states);
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
