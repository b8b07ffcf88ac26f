//! What is right in a body and may not be meant: what the runtime says when a kernel is loaded.

use std::collections::BTreeSet;

use crate::cuda_type::{self, CudaType, Origin};
use crate::model::{Body, End, Kernel, Parameter, Role};
use crate::scan::{Finding, Number, Type, Variable};

/// A warning about a line of a body.
pub(crate) struct Warning {
    /// The message, with the file and the line.
    pub(crate) text: String,
    /// The fields of structs, each with its struct's name, that have to be floats for it: only rustc knows them.
    pub(crate) floats: BTreeSet<(String, String)>,
}

/// Everything that is said of a kernel.
pub(crate) fn of(kernel: &Kernel) -> Vec<Warning> {
    let feature = kernel.feature.iter().map(|body| (body, true));
    let bodies = feature.chain([(&kernel.body, false)]);
    bodies.flat_map(|(body, is_feature)| doubles(kernel, body, is_feature)).collect()
}

/// Where a body computes in double precision by accident: a warning for each line.
fn doubles(kernel: &Kernel, body: &Body, is_feature: bool) -> Vec<Warning> {
    let findings = body.scan.doubles(&|name| variable(kernel, name, is_feature));
    let mut lines: Vec<(usize, BTreeSet<(String, String)>, Vec<[String; 2]>)> = Vec::new();
    for Finding { doubled, fields } in findings {
        let (line, forms) = (doubled.line, [doubled.to, doubled.from]);
        let fields = fields.into_iter().collect();
        match lines.iter_mut().find(|each| each.0 == line && each.1 == fields) {
            Some((.., others)) if others.contains(&forms) => {}
            Some((.., others)) => others.push(forms),
            None => lines.push((line, fields, vec![forms])),
        }
    }
    let warning = |(line, floats, forms): (usize, _, Vec<[String; 2]>)| {
        let forms: Vec<_> = forms.iter().map(|[to, from]| format!("`{to}` for `{from}`")).collect();
        let text = format!(
            "{}:{line}: warning: floats are computed with in double precision here, which is slow on a GPU: write {}",
            body.file,
            forms.join(" and ")
        );
        Warning { text, floats }
    };
    lines.into_iter().map(warning).collect()
}

/// What a name stands for in a body, where that is no local variable.
fn variable(kernel: &Kernel, name: &str, is_feature: bool) -> Option<Variable> {
    if let Some(fold) = kernel.folds.iter().find(|fold| fold.plain_name() == name) {
        return Some(Variable::of(of_cuda(&fold.cuda)));
    }
    if let Some(parameter) = kernel.parameters.iter().find(|each| each.plain_name() == name) {
        return Some(of_parameter(parameter));
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

/// What a CUDA type is to arithmetic.
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
