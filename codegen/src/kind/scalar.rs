//! `x: T`: one value for all pairs.

use crate::model::{About, Kind, Parameter, Role, SourceInput};

/// `x: T`.
pub(crate) const SCALAR: &dyn Kind = &Scalar;

struct Scalar;

impl Kind for Scalar {
    fn about(&self) -> About {
        About { is_passed: true, ..About::input("scalars", "T", Role::Input) }
    }

    fn parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!("const {} {}_arg", parameter.cuda.name, parameter.plain_name())]
    }

    fn pair_parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!("const {} {}", parameter.cuda.name, parameter.plain_name())]
    }
}
