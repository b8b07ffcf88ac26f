//! Valid but probably unintended code in a body: warnings of the runtime when a kernel is loaded.

use std::collections::BTreeSet;

use crate::cuda_type::{self, CudaType, Origin};
use crate::model::{Body, Kernel, Parameter, Role};
use crate::names;
use crate::scan::{Finding, Meaning};

/// A warning about a line of a body.
pub(crate) struct Warning {
    /// The file and the line.
    pub(crate) place: String,
    /// Each accidental double, after its form for floats.
    pub(crate) forms: Vec<[String; 2]>,
    /// The fields of structs, each with its struct's name, that must be floats for the warning: only rustc knows them.
    pub(crate) floats: BTreeSet<(String, String)>,
}

/// All warnings of a kernel.
pub(crate) fn of(kernel: &Kernel) -> Vec<Warning> {
    let feature = kernel.feature.iter().map(|body| (body, true));
    let lower = kernel.lower.iter().map(|body| (body, false));
    let quick = kernel.quick.iter().map(|body| (body, false));
    let bodies = feature.chain([(&kernel.body, false)]).chain(lower).chain(quick);
    let body_findings = |(body, is_feature): (&Body, bool)| {
        doubles(body, body.scan.doubles(&|name| meaning(kernel, name, is_feature)))
    };
    let prelude = kernel.prelude.iter();
    let prelude_findings =
        prelude.flat_map(|prelude| doubles(prelude, prelude.scan.doubles_of_functions()));
    prelude_findings.chain(bodies.flat_map(body_findings)).collect()
}

/// A warning for each line of a body or a prelude with accidental double precision.
fn doubles(body: &Body, findings: Vec<Finding>) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = Vec::new();
    for Finding { line, from, to, fields: floats } in findings {
        let (place, forms) = (format!("{}:{line}", body.file), [to, from]);
        let is_same = |each: &&mut Warning| each.place == place && each.floats == floats;
        match warnings.iter_mut().find(is_same) {
            Some(same) if same.forms.contains(&forms) => {}
            Some(same) => same.forms.push(forms),
            None => warnings.push(Warning { place, forms: vec![forms], floats }),
        }
    }
    warnings
}

/// The meaning of a name in a body that is not a local variable.
fn meaning(kernel: &Kernel, name: &str, is_feature: bool) -> Option<Meaning> {
    if let Some(fold) = kernel.folds.iter().find(|fold| fold.plain_name() == name) {
        return cuda_meaning(&fold.cuda);
    }
    if let Some(parameter) = kernel.parameters.iter().find(|each| each.plain_name() == name) {
        return parameter_meaning(parameter);
    }
    if let Some(constant) = kernel.constants.iter().find(|each| each.plain_name() == name) {
        return cuda_meaning(&cuda_type::primitive(constant.number)?);
    }
    if let Some(dot) = kernel.dot.as_ref().filter(|dot| dot.name == name) {
        return cuda_meaning(&cuda_type::primitive(if dot.number == "int" {
            "i32"
        } else {
            "f32"
        })?);
    }
    let is_error = kernel.dot.as_ref().is_some_and(|dot| dot.is_error(name));
    let is_bound = kernel.lower.is_some() && names::OF_LOWER.contains(&name);
    let is_number = matches!(name, "i" | "j" | "n" | "rows" | "columns" | "features")
        || (is_feature && name == "k")
        || name.ends_with("_length");
    match (is_error || is_bound, is_number) {
        (true, _) => Some(Meaning::Float),
        (_, true) => Some(Meaning::Other),
        _ => None,
    }
}

fn parameter_meaning(parameter: &Parameter) -> Option<Meaning> {
    let meaning = cuda_meaning(&parameter.cuda)?;
    let has_operators = match parameter.kind.role() {
        Role::Gathered | Role::Neighbours(_) | Role::Result(_) => true,
        // The operators of 16-bit floats take floats.
        role => role.is_output() && cuda_type::is_half(&parameter.cuda),
    };
    match meaning {
        Meaning::Struct(_) if has_operators => None,
        _ if has_operators => Some(Meaning::Other),
        _ => Some(meaning),
    }
}

/// The meaning of a variable of this type; `None` for doubles and arrays.
fn cuda_meaning(cuda: &CudaType) -> Option<Meaning> {
    let is_half = |name: &str| cuda_type::halves(name).next().is_some();
    match (cuda.origin, cuda_type::parts(cuda)) {
        (Origin::User, _) => Some(Meaning::Struct(cuda.name.clone())),
        _ if cuda.name.contains("double") || cuda_type::wide_parts(cuda).is_some() => None,
        (_, Some((name, _))) if name == "float" || is_half(&name) => Some(Meaning::Vector),
        (_, None) if cuda.name == "float" || cuda_type::is_half(cuda) => Some(Meaning::Float),
        (Origin::Builtin, _) => Some(Meaning::Other),
        _ => None,
    }
}
