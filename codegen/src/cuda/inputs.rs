//! The arguments for scalars and slices, which are the same expressions in every sweep.

use crate::errors::Internal;
use crate::model::{Argument, Body, SourceInput};

/// The arguments for those that a body uses.
pub(super) fn input_arguments(
    input: &SourceInput<'_>,
    body: &Body,
) -> Result<Vec<String>, Internal> {
    let inputs = input.kernel.inputs(body);
    inputs.flat_map(|each| each.kind.pair_arguments(input, each)).map(expression).collect()
}

/// The expression of one of them.
pub(super) fn expression(argument: Argument) -> Result<String, Internal> {
    match argument {
        Argument::Expression(expression) => Ok(expression),
        _ => Err(Internal("a scalar or slice without an expression".to_owned())),
    }
}
