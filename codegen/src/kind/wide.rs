//! `#[each] x: &mut Sums<[f32; W]>` with W from 5 to 64, or `#[row]` or `#[column]` for a rectangle: the sums of an array for
//! each element, as the product of a kernel matrix and W columns. `&mut ArraySums<f32>` is the same for arrays whose width a
//! launch gives.
//!
//! A thread keeps the sums of its rows' arrays in registers, so there are at most [`MAX_WIDE_BYTES`] for one element. Loops over
//! the array are unrolled, and the warps of a block combine a few numbers at a time. Where pairs are visited one by one, within sets
//! without features and over given pairs, each pair adds its numbers by atomics.

use minijinja::{Value, context};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Type, TypePath};
use td_kernel_geometry::Sweep;

use super::arrays::{ARRAY_SUMS, given_element};
use super::reduce;
use crate::cuda_type::{self, MAX_WIDE_BYTES};
use crate::element::{Element, bare, length, wide, written};
use crate::errors::Errors;
use crate::model::{About, End, Kind, Members, Parameter, Role, SourceInput};

/// The sums of an array for each element.
struct WideSums {
    end: End,
    /// Whether a launch gives the length of the arrays.
    is_given: bool,
}

/// The kinds of such sums, one for each kind of elements.
pub(super) const SUMS: [&dyn Kind; 3] = [&of(End::Each), &of(End::Row), &of(End::Column)];

/// The same for arrays whose width a launch gives.
pub(super) const GIVEN_SUMS: [&dyn Kind; 3] =
    [&given(End::Each), &given(End::Row), &given(End::Column)];

const fn of(end: End) -> WideSums {
    WideSums { end, is_given: false }
}

const fn given(end: End) -> WideSums {
    WideSums { end, is_given: true }
}

/// Whether the type is an array longer than CUDA's vectors.
pub(super) fn is_wide(ty: &Type) -> bool {
    matches!(bare(ty), Type::Array(array) if length(&array.len).is_some_and(|length| length > 4))
}

/// The numbers of an array that the warps of a block combine at a time.
const PIECE: u32 = 4;

/// Checks that a thread has registers for all arrays of an element's sums.
pub(crate) fn check(parameters: &[Parameter], errors: &mut Errors) {
    let wide = || parameters.iter().filter(|each| each.is_wide_sum());
    let Some(last) = wide().next_back() else { return };
    let bytes: u32 = wide().filter_map(Parameter::size).sum();
    if bytes as usize > MAX_WIDE_BYTES {
        errors.span(last.name.span(), format!("the sums of an element take {bytes} bytes in all, but a thread keeps at most {MAX_WIDE_BYTES} of them in registers: write shorter arrays, or a kernel for each output"));
    }
}

/// The parameter with the number of elements of all sets, by which the sums of two numbers of an array are apart.
fn stride(input: &SourceInput<'_>, parameter: &Parameter) -> Option<String> {
    let is_taken = input.kernel.form.members == Members::Many;
    is_taken.then(|| format!("{}_stride", parameter.plain_name()))
}

impl WideSums {
    /// The type in which a thread accumulates the sums of an array.
    fn part(&self, input: &SourceInput<'_>, parameter: &Parameter) -> String {
        // The CPU adds up many pairs before it adds to the cells.
        if input.folds_columns() {
            return self.doubles(parameter);
        }
        let (number, count) = parts(parameter);
        format!("{}<{number}, {count}>", self.template())
    }

    /// The same sums as doubles.
    fn doubles(&self, parameter: &Parameter) -> String {
        let (number, count) = parts(parameter);
        format!("{}<{number}, {count}, double>", self.template())
    }

    fn template(&self) -> &'static str {
        if self.is_given { "td_array_sum" } else { "td_wide_sum" }
    }

    /// The name of the cells, or of the digits of exact sums.
    fn cells(&self, input: &SourceInput<'_>, parameter: &Parameter) -> String {
        let is_exact = self.is_exact(input.kernel, parameter);
        format!("{}_{}", parameter.plain_name(), if is_exact { "digits" } else { "cells" })
    }
}

/// The numbers of an array: their type, and their count. A type that `element` refuses would not compile.
fn parts(parameter: &Parameter) -> (&str, &str) {
    cuda_type::wide_parts(&parameter.cuda).unwrap_or((&parameter.cuda.name, "0"))
}

impl Kind for WideSums {
    fn about(&self) -> About {
        let (names, spelling, output) = match self.is_given {
            false => (
                ["wide_sums_of_each", "wide_sums_of_rows", "wide_sums_of_columns"],
                "#[each] x: &mut Sums<T>",
                "Sums",
            ),
            true => (
                ["array_sums_of_each", "array_sums_of_rows", "array_sums_of_columns"],
                "#[each] x: &mut ArraySums<T>",
                ARRAY_SUMS,
            ),
        };
        About {
            written: self.end.choose([".i += …", " += …", " += …"]),
            is_listed: false,
            is_wide: true,
            is_of_given_arrays: self.is_given,
            ..About::output(self.end.choose(names), spelling, Role::Result(self.end), output)
        }
    }

    fn element(&self, path: &TypePath, errors: &mut Errors) -> Option<Element> {
        if self.is_given {
            return given_element(ARRAY_SUMS, path, errors);
        }
        let ty = written("Sums", path, errors)?;
        let found = wide(ty);
        if found.is_none() {
            errors.at(ty, "`Sums` of more than four numbers must be of up to 64 `f32` or 32 `f64`, which a thread keeps in registers: write an array like `[f32; 16]`, or for any number `&mut ArraySums<f32>` and `&Arrays<f32>`");
        }
        found
    }

    fn adds_floats(&self, _: &Parameter) -> bool {
        true
    }

    fn parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let cell = match self.is_exact(input.kernel, parameter) {
            true => "unsigned long long",
            false => "double",
        };
        let cells = format!("{cell} *const {}", self.cells(input, parameter));
        let stride = stride(input, parameter);
        [cells]
            .into_iter()
            .chain(stride.map(|stride| format!("const unsigned int {stride}")))
            .collect()
    }

    fn pair_parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![reduce::pair_parameter(self.end, &self.part(input, parameter), parameter)]
    }

    fn facts(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        let (number, count) = parts(parameter);
        let is_exact = self.is_exact(input.kernel, parameter);
        let words = if number == "double" { 67 } else { 10 };
        let warps = format!("{}_warps", parameter.plain_name());
        let plane = context! { cells => self.cells(input, parameter), member => ".values[component]", suffix => "", warps };
        vec![
            // The numbers of the array; other results do not have this value.
            ("width", Value::from(count)),
            ("piece", Value::from(PIECE)),
            // Whether the last piece has fewer numbers. Blocks of given arrays have whole pieces.
            (
                "is_ragged",
                Value::from(count.parse().is_ok_and(|count: u32| !count.is_multiple_of(PIECE))),
            ),
            // The cells of a number for each element: the digits of an exact sum, or one.
            ("words", Value::from(if is_exact { words } else { 1 })),
            ("part", Value::from(self.part(input, parameter))),
            ("planes", Value::from(vec![plane])),
            ("exact", Value::from(is_exact)),
            ("stride", Value::from(stride(input, parameter))),
            ("has_row", Value::from(self.end.has_row())),
            ("has_column", Value::from(self.end.has_column())),
            ("number", Value::from(number)),
            ("shared", Value::from(number)),
            ("is_float", Value::from(true)),
            ("value", Value::from("")),
            ("passed", Value::from(Vec::<String>::new())),
            // The CPU keeps these as it keeps results that are not sums of single numbers.
            ("adds", Value::from(false)),
            ("of_part", Value::from(self.doubles(parameter))),
            ("together", Value::from("td_sum_of_warps")),
            ("atomic", Value::from("atomicAdd")),
        ]
    }

    fn kept(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        if !self.end.has_row() || matches!(input.variant.tiling.sweep, Sweep::Classic | Sweep::Sets)
        {
            return Vec::new();
        }
        let (number, _) = parts(parameter);
        let size = PIECE as usize * if number == "double" { 8 } else { 4 };
        vec![quote!(Result { size: #size })]
    }
}
