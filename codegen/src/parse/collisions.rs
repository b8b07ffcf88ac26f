//! Names with two meanings in a kernel's source: compares the names of its parameters, its prelude and its constants with the
//! kernel's own.

use std::collections::BTreeSet;

use proc_macro2::Span;

use crate::cuda;
use crate::cuda_type::Origin;
use crate::errors::Errors;
use crate::kind::SET;
use crate::model::{Body, Fold, Kernel, Members, Parameter};
use crate::names;
use crate::scan::{self, Definition};

/// Reports names that collide, and unused constants, in a kernel without other errors. `span` is the prelude's.
pub(super) fn check(kernel: &Kernel, span: Span, errors: &mut Errors) {
    for sum in &kernel.parameters {
        let numbers = sum.kind.numbers(sum);
        let is_number = |each: &&Parameter| {
            numbers.len() > 1 && numbers.iter().any(|own| own.plain_name() == each.plain_name())
        };
        if let Some(other) = kernel.parameters.iter().find(is_number) {
            let message = format!(
                "`{}` is also a number of `{}` in the generated source: rename one of the two",
                other.name, sum.name
            );
            errors.span(other.name.span(), message);
        }
    }
    let own = Own::of(kernel);
    for constant in &kernel.constants {
        let name = constant.plain_name();
        if let Some(message) = own.constant(&name) {
            errors.span(constant.name.span(), message);
        } else if !is_used(kernel, &name) {
            let message = format!(
                "the constant `{name}` is not used: use it in a body or the prelude, or remove it here"
            );
            errors.span(constant.name.span(), message);
        }
    }
    let Some(prelude) = &kernel.prelude else { return };
    for definition in &prelude.scan.definitions {
        if let Some(message) = own.prelude_clash(definition) {
            errors.span(span, format!("{}:{}: {message}", prelude.file, definition.line));
        }
    }
}

/// Whether the user's bodies may use the name. A body that includes a file or pastes names may use any name.
fn is_used(kernel: &Kernel, name: &str) -> bool {
    let may_use = |body: &Body| body.uses(name) || body.text.contains("##");
    kernel.bodies().chain(&kernel.prelude).any(may_use)
        || kernel.folds.iter().any(|fold| scan::read(&fold.start_value(), 1).names.contains(name))
}

/// The kernel's own names.
struct Own {
    /// The names that its bodies see, beside the parameters.
    in_scope: Vec<String>,
    parameters: Vec<String>,
    functions: Vec<String>,
    structs: Vec<String>,
    constants: Vec<String>,
    /// All words of its sources.
    words: Vec<String>,
}

impl Own {
    fn of(kernel: &Kernel) -> Own {
        let indices: &[&str] =
            if kernel.is_rectangle() { &["i", "j", "rows", "columns"] } else { &["i", "j", "n"] };
        let feature_names: &[&str] =
            if kernel.feature.is_some() { &["k", "features"] } else { &[] };
        let lower_names: &[&str] = match (&kernel.lower, &kernel.near) {
            (_, Some(_)) => &names::OF_BOXES,
            (Some(_), None) => &names::OF_LOWER,
            _ => &[],
        };
        let quick_names: &[&str] = if kernel.quick.is_some() { &[names::EXACT] } else { &[] };
        let set_names: &[&str] = if kernel.form.members == Members::Many { &[SET] } else { &[] };
        let in_scope = indices
            .iter()
            .chain(set_names)
            .chain(feature_names)
            .chain(lower_names)
            .chain(quick_names);
        let in_scope = in_scope.map(|&name| name.to_owned());
        let parameters = kernel.parameters.iter().map(Parameter::plain_name);
        let lengths = kernel.parameters.iter().filter_map(|each| kernel.length_of(each));
        let structs = kernel.parameters.iter().filter(|each| each.cuda.origin == Origin::User);
        let dot_names = kernel.dot.iter().filter(|_| kernel.quick.is_some());
        let products = dot_names.flat_map(|dot| [dot.name.clone(), format!("{}_error", dot.name)]);
        let name = kernel.plain_name();
        let parts = [
            "feature", "pair", "quick", "fold", "kernel", "merge", "lower_bound", "prepare",
            "refine",
        ];
        let near_names = ["sample", "count", "scan", "scatter"].map(str::to_owned);
        let set_functions = ["frame", "cells", "boxes", "join", "sort", "moved"];
        let set_functions = set_functions
            .into_iter()
            .flat_map(|part| ["", "row_", "column_"].map(|prefix| format!("{prefix}{part}")));
        let parts = parts.map(str::to_owned).into_iter().chain(near_names).chain(set_functions);
        let functions = parts.map(|part| format!("{name}_{part}"));
        let functions = functions.chain(kernel.joins().map(|join| format!("{name}_{join}")));
        let has_names = !kernel.constants.is_empty()
            || kernel.prelude.iter().any(|prelude| !prelude.scan.definitions.is_empty());
        Own {
            in_scope: in_scope.collect(),
            parameters: parameters
                .chain(lengths)
                .chain(kernel.folds.iter().map(Fold::plain_name))
                .chain(products)
                .collect(),
            functions: functions.collect(),
            structs: structs.map(|each| each.cuda.name.clone()).collect(),
            constants: kernel.constants.iter().map(|each| each.plain_name()).collect(),
            words: if has_names { words(kernel) } else { Vec::new() },
        }
    }

    /// Why a constant cannot have this name, if it cannot.
    fn constant(&self, name: &str) -> Option<String> {
        if self.parameters.iter().any(|each| each == name) {
            return Some(self.parameter_owner(name));
        }
        let is_word = has(&self.words, name) && !names::is_constant(name);
        let is_own = has(&self.in_scope, name) || is_word;
        is_own.then(|| {
            format!("`{name}` is also a name in the generated source: choose another name, such as `CUTOFF`")
        })
    }

    /// Why a prelude cannot define this, if it cannot.
    fn prelude_clash(&self, definition: &Definition) -> Option<String> {
        let Definition { name, is_macro, .. } = definition;
        if has(&self.constants, name) {
            Some(format!("`{name}` is also one of the constants: rename one of the two"))
        } else if has(&self.parameters, name) {
            Some(self.parameter_owner(name))
        } else if has(&self.in_scope, name) {
            Some(format!(
                "`{name}` is a variable in the bodies of this kernel, such as an index or a count: choose another name"
            ))
        } else if has(&self.functions, name) {
            Some(format!("`{name}` is a function of the generated source: choose another name"))
        } else if has(&self.structs, name) {
            Some(format!("`{name}` is already defined from the Rust struct: remove it here"))
        } else if *is_macro && has(&self.words, name) {
            Some(format!(
                "the macro `{name}` would replace a name in the generated source: choose another name, or write `#undef {name}` at the end of the prelude"
            ))
        } else {
            None
        }
    }

    fn parameter_owner(&self, name: &str) -> String {
        format!(
            "`{name}` is also a parameter of the kernel, which would hide this definition in the body: rename one of the two"
        )
    }
}

/// The generated words of the kernel's sources. The start values of folds are the user's.
fn words(kernel: &Kernel) -> Vec<String> {
    let starts = kernel.folds.iter().map(|fold| scan::read(&fold.start_value(), 1).names);
    let starts: BTreeSet<_> = starts.flatten().collect();
    cuda::words(kernel).into_iter().filter(|word| !starts.contains(word)).collect()
}

fn has(names: &[String], name: &str) -> bool {
    names.iter().any(|each| each == name)
}
