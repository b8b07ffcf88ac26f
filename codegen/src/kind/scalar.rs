//! `x: T`: one value for all pairs.

use crate::model::{Argument, Kind, Parameter, Role, SourceInput};

/// `x: T`.
pub(crate) const SCALAR: &dyn Kind = &Scalar;

struct Scalar;

impl Kind for Scalar {
    fn name(&self) -> &'static str {
        "scalars"
    }

    fn spelling(&self) -> &'static str {
        "T"
    }

    fn role(&self) -> Role {
        Role::Input
    }

    fn parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!("const {} {}_arg", parameter.cuda.name, parameter.plain_name())]
    }

    fn pair_parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!("const {} {}", parameter.cuda.name, parameter.plain_name())]
    }

    fn pair_arguments(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<Argument> {
        vec![Argument::Expression(format!("{}_arg", parameter.plain_name()))]
    }

    fn is_passed(&self) -> bool {
        true
    }
}
