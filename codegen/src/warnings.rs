//! Valid but probably unintended code in a body: warnings of the runtime when a kernel is loaded.

use std::collections::BTreeSet;

use crate::cuda_type::{self, CudaType, Origin};
use crate::model::{Body, Dot, End, Kernel, Parameter, Role};
use crate::names;
use crate::scan::{Finding, Number, Type, Variable};

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
    let of_body = |(body, is_feature): (&Body, bool)| {
        doubles(body, body.scan.doubles(&|name| variable(kernel, name, is_feature)))
    };
    let prelude = kernel.prelude.iter();
    let of_prelude =
        prelude.flat_map(|prelude| doubles(prelude, prelude.scan.doubles_of_functions()));
    of_prelude.chain(bodies.flat_map(of_body)).collect()
}

/// A warning for each line of a body or a prelude with accidental double precision.
fn doubles(body: &Body, findings: Vec<Finding>) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = Vec::new();
    for Finding { doubled, fields } in findings {
        let place = format!("{}:{}", body.file, doubled.line);
        let (floats, forms) = (BTreeSet::from_iter(fields), [doubled.to, doubled.from]);
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
fn variable(kernel: &Kernel, name: &str, is_feature: bool) -> Option<Variable> {
    if let Some(fold) = kernel.folds.iter().find(|fold| fold.plain_name() == name) {
        return Some(Variable::of(of_cuda(&fold.cuda)));
    }
    if let Some(parameter) = kernel.parameters.iter().find(|each| each.plain_name() == name) {
        return Some(of_parameter(parameter));
    }
    let is_product = |dot: &Dot| dot.name == name || dot.is_error(name);
    let is_bound = kernel.lower.is_some() && names::OF_LOWER.contains(&name);
    if is_bound || kernel.dot.as_ref().is_some_and(is_product) {
        return Some(Variable::of(Type::Number(Number::Float)));
    }
    let is_number = matches!(name, "i" | "j" | "n" | "rows" | "columns" | "features")
        || (is_feature && name == "k")
        || name.ends_with("_length");
    is_number.then(|| Variable::of(Type::Number(Number::Integer)))
}

fn of_parameter(parameter: &Parameter) -> Variable {
    let plain = Variable::of(of_cuda(&parameter.cuda));
    match parameter.kind.role() {
        Role::Elements | Role::Features(End::Each) => Variable { has_ends: true, ..plain },
        Role::Row | Role::Column | Role::Features(_) => plain,
        Role::Input => Variable { is_indexed: !parameter.kind.is_passed(), ..plain },
        Role::Memory => Variable { is_indexed: true, ..plain },
        Role::Packed | Role::Square | Role::Matrix => plain,
        Role::Gathered | Role::Neighbours(_) => Variable { is_sum: true, ..plain },
        Role::Result(end) => Variable { is_sum: true, has_ends: end == End::Each, ..plain },
    }
}

/// The arithmetic type of a CUDA type.
fn of_cuda(cuda: &CudaType) -> Type {
    let number = |name: &str| match name {
        "float" => Number::Float,
        "double" => Number::Double,
        _ if cuda_type::halves(name).next().is_some() => Number::Half,
        _ => Number::Integer,
    };
    match (cuda.origin, cuda_type::parts(cuda)) {
        (Origin::User, _) => Type::Struct(cuda.name.clone()),
        (_, Some((name, _))) => Type::Vector(number(&name)),
        (_, None) => Type::Number(number(&cuda.name)),
    }
}
