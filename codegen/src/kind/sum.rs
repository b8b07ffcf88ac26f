//! `x: &mut Sum<T>`: one total over all pairs. That of a vector or an array is a total of each of its numbers, which templates treat
//! as parameters by themselves; only the body adds to all of them at once.
//!
//! A sum is added up in steps, so that its error does not grow with n:
//!
//! ```text
//! some pairs   td_partial, td_tally: a few floats; the count of a tile in 32 bits   (sweep `columns`)
//! thread       td_float_sum: compensated; td_sum: 32-bit integers in 64
//! block        double for floats, 64 bits for integers: td_add_warp, td_add_block
//! total        SLOTS of these, which the runtime adds up
//! ```

use minijinja::Value;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::TypePath;
use td_kernel_geometry::Sweep;

use crate::cuda_type::{self, CudaType, Origin};
use crate::element::{Element, argument_among, wide, written};
use crate::errors::{Errors, list};
use crate::model::{About, Argument, Kind, Parameter, Role, SourceInput};

/// `x: &mut Sum<T>`.
pub(crate) const SUM: &dyn Kind = &Sum;

/// The types of a total: those that CUDA adds atomically.
const SUMS: &[&str] = &["f32", "f64", "i32", "u32", "i64", "u64"];

/// The most floats that are added up before they go to a compensated sum. The rounding errors of these additions, and two of
/// the sum itself, stay below a millionth.
const MAX_PARTIAL: u32 = 8;

struct Sum;

impl Kind for Sum {
    fn about(&self) -> About {
        About {
            written: " += …",
            can_drop: true,
            ..About::output("sums", "&mut Sum<T>", Role::Gathered, "Sum")
        }
    }

    fn element(&self, path: &TypePath, errors: &mut Errors) -> Option<Element> {
        if let Some(found) = wide(written("Sum", path, errors)?) {
            return Some(found);
        }
        let is_added = |cuda: &CudaType| {
            let number = cuda_type::parts(cuda).map_or_else(|| cuda.name.clone(), |parts| parts.0);
            SUMS.iter()
                .any(|name| cuda_type::primitive(name).is_some_and(|each| each.name == number))
        };
        let types = list(SUMS);
        let message = format!(
            "a `Sum` must be of numbers that CUDA adds atomically: write one of {types}, an array of 2, 3 or 4 of them, or of 5 to 64 `f32` or 5 to 32 `f64`; a struct of your own is joined by `&mut Reduce<State>`"
        );
        argument_among("Sum", path, is_added, |_| message, errors)
    }

    fn numbers(&self, parameter: &Parameter) -> Vec<Parameter> {
        let (number, count) = number(parameter);
        let Some(rust) = SUMS.iter().find(|rust| {
            count > 1 && cuda_type::primitive(rust).is_some_and(|cuda| cuda.name == number)
        }) else {
            return vec![parameter.clone()];
        };
        let (name, rust) = (&parameter.name, Ident::new(rust, parameter.name.span()));
        let of = |at: usize| Parameter {
            name: Ident::new(&format!("{}_{at}", parameter.plain_name()), name.span()),
            number_of: Some(parameter.plain_name()),
            cuda: CudaType { name: number.clone(), origin: Origin::Builtin },
            rust: quote!(::core::primitive::#rust),
            ..parameter.clone()
        };
        (0..count).map(of).collect()
    }

    fn adds_floats(&self, parameter: &Parameter) -> bool {
        total(parameter) == "double"
    }

    fn lines(&self, parameter: &Parameter) -> Vec<String> {
        let numbers = self.numbers(parameter).into_iter();
        let floats = numbers.filter(|each| total(each) == "double");
        floats.map(|each| format!("{}_part", each.plain_name())).collect()
    }

    fn parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let is_exact = self.is_exact(input.kernel, parameter);
        let address = |each: Parameter| match is_exact {
            true => format!("unsigned long long *const {}_digits", each.plain_name()),
            false => format!("{} *const {}_total", slot(&each), each.plain_name()),
        };
        self.numbers(parameter).into_iter().map(address).collect()
    }

    fn pair_parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let (name, vector) = (parameter.plain_name(), &parameter.cuda.name);
        let (number, count) = number(parameter);
        let added = added(input, parameter);
        let part = added.first().map_or("", |each| &each.1);
        vec![match (count, parameter.is_wide()) {
            (1, _) => format!("{part} &{name}"),
            (_, true) => format!("const td_totals<{number}, {part}, {count}> {name}"),
            (_, false) => format!("td_sums<{vector}, {part} &, {count}> {name}"),
        }]
    }

    fn pair_arguments(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<Argument> {
        let added = added(input, parameter).into_iter().map(|each| each.0);
        let added: Vec<_> = match parameter.is_wide() {
            true => added.map(|each| format!("&{each}")).collect(),
            false => added.collect(),
        };
        let all = added.join(", ");
        vec![Argument::Expression(if added.len() > 1 { format!("{{{all}}}") } else { all })]
    }

    fn facts(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        let target = target(input, parameter);
        let (added, added_type) = added_to(input, parameter);
        let name = parameter.plain_name();
        let result = match part(parameter) {
            Part::Float if !input.adds_each_pair() => format!("{name}_sum.total()"),
            _ => format!("{name}_sum.value"),
        };
        let is_exact = self.is_exact(input.kernel, parameter);
        let is_near = input.variant.tiling.sweep == Sweep::Near;
        let most = if let Target::Partial(most) = target { most } else { 0 };
        vec![
            ("part", Value::from(own_part(input, parameter))),
            ("total", Value::from(total(parameter))),
            ("is_float", Value::from(total(parameter) == "double")),
            ("line", Value::from(line(input, parameter))),
            ("slot", Value::from(slot(parameter))),
            ("result", Value::from(result)),
            ("added", Value::from(added)),
            ("added_type", Value::from(added_type)),
            ("exact", Value::from(is_exact)),
            // Whether each pair is added by itself: in blocks of a thread for each pair, and where a thread has several pairs.
            ("is_of_pairs", Value::from(is_exact && input.adds_each_pair())),
            ("is_of_pair", Value::from(is_exact && input.adds_each_pair() && is_near)),
            ("is_of_thread", Value::from(!(is_exact && input.adds_each_pair() && is_near))),
            ("is_of_tile", Value::from(target != Target::Sum)),
            ("is_tally", Value::from(target == Target::Tally)),
            ("most", Value::from(most)),
        ]
    }

    fn kept(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        // Each warp adds its part to an exact sum directly.
        if self.is_exact(input.kernel, parameter) {
            return Vec::new();
        }
        let runtime = &input.kernel.options.runtime;
        let of = |Parameter { rust, .. }| quote!(Sum { size: ::core::mem::size_of::<#runtime::__private::Total<#rust>>() });
        self.numbers(parameter).into_iter().map(of).collect()
    }
}

/// The CUDA name of a sum's numbers, and their count.
fn number(sum: &Parameter) -> (String, usize) {
    let wide = cuda_type::wide_parts(&sum.cuda);
    let wide = wide.and_then(|(number, count)| Some((number.to_owned(), count.parse().ok()?)));
    wide.or_else(|| cuda_type::parts(&sum.cuda)).unwrap_or_else(|| (sum.cuda.name.clone(), 1))
}

/// The type in which a block adds up its threads' sums: a total may need more bits than its terms.
fn total(sum: &Parameter) -> &'static str {
    match number(sum).0.as_str() {
        "int" | "long long" => "long long",
        "unsigned int" | "unsigned long long" => "unsigned long long",
        _ => "double",
    }
}

/// The type of a total's slots: CUDA adds 64-bit integers atomically as unsigned ones.
fn slot(sum: &Parameter) -> &'static str {
    if total(sum) == "double" { "double" } else { "unsigned long long" }
}

/// How a thread adds up its part of a sum.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// `f32`, compensated.
    Float,
    /// 32-bit integers, in 64 bits.
    Wide,
    /// In the sum's own type.
    Plain,
}

/// How a thread adds up its part of this sum.
fn part(sum: &Parameter) -> Part {
    match sum.cuda.name.as_str() {
        "float" => Part::Float,
        "int" | "unsigned int" => Part::Wide,
        _ => Part::Plain,
    }
}

/// The type of a thread's part of a sum.
fn part_type(sum: &Parameter) -> String {
    let term = &sum.cuda.name;
    match part(sum) {
        Part::Float => "td_float_sum".to_owned(),
        Part::Wide => format!("td_sum<{term}, {}>", total(sum)),
        Part::Plain => format!("td_sum<{term}>"),
    }
}

/// The variable to which a thread adds its pairs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// The thread's part of the sum.
    Sum,
    /// A 32-bit count of one tile.
    Tally,
    /// A float for the pairs of this many columns.
    Partial(u32),
}

/// The variables that a pair is added to, and their types: one for each number.
fn added(input: &SourceInput<'_>, sum: &Parameter) -> Vec<(String, String)> {
    sum.kind.numbers(sum).iter().map(|each| added_to(input, each)).collect()
}

/// The name to which the body adds.
fn written_name(sum: &Parameter) -> String {
    sum.number_of.clone().unwrap_or_else(|| sum.plain_name())
}

/// Whether the pairs of some columns can be counted in 32 bits: the body only adds small integers.
fn only_counts(input: &SourceInput<'_>, sum: &Parameter) -> bool {
    sum.cuda.name != "double"
        && part(sum) != Part::Float
        && input.kernel.body.scan.only_counts(&written_name(sum))
}

/// For the CPU's loops without features: the type in which the pairs of a row are added up within a block of columns.
fn line(input: &SourceInput<'_>, sum: &Parameter) -> &'static str {
    if only_counts(input, sum) { "unsigned int" } else { total(sum) }
}

/// The type in which a GPU's thread, or on the CPU a column of a block or a pair, adds up its part of a sum.
fn own_part(input: &SourceInput<'_>, sum: &Parameter) -> String {
    let is_of_pair = input.is_loops && !input.folds_columns();
    match part(sum) {
        _ if is_of_pair && only_counts(input, sum) => "td_sum<unsigned int>".to_owned(),
        Part::Float if input.is_loops || input.adds_each_pair() => {
            format!("td_sum<{}, double>", sum.cuda.name)
        }
        _ => part_type(sum),
    }
}

/// The variable to which a thread adds its pairs. In the sweep `columns`, where a thread has many pairs, each addition then
/// costs one instruction.
fn target(input: &SourceInput<'_>, sum: &Parameter) -> Target {
    let tiling = &input.variant.tiling;
    if !tiling.keeps_rows() {
        return Target::Sum;
    }
    let (scan, name) = (&input.kernel.body.scan, written_name(sum));
    match part(sum) {
        Part::Float => {
            let each = scan.additions(&name).map(|terms| terms.max(1) * tiling.rows_of_thread());
            match each {
                // A power of two, so that it divides the columns of a tile.
                Some(each) if each <= MAX_PARTIAL => {
                    Target::Partial(1 << (MAX_PARTIAL / each).ilog2())
                }
                _ => Target::Sum,
            }
        }
        _ if only_counts(input, sum) => Target::Tally,
        _ => Target::Sum,
    }
}

/// The variable that a pair is added to, and its type.
fn added_to(input: &SourceInput<'_>, sum: &Parameter) -> (String, String) {
    let name = sum.plain_name();
    match target(input, sum) {
        // On the CPU each column of a block has its own sum, in doubles for floats, so that vector instructions add to
        // neighbouring columns at once.
        _ if input.folds_columns() => (format!("{name}_sum[c]"), own_part(input, sum)),
        // Without features, each pair has its own sum.
        _ if input.is_loops => (format!("{name}_sum"), own_part(input, sum)),
        Target::Sum => (format!("{name}_sum"), own_part(input, sum)),
        Target::Tally => (format!("{name}_tally"), "td_tally".to_owned()),
        Target::Partial(_) => (format!("{name}_partial"), "td_partial".to_owned()),
    }
}
