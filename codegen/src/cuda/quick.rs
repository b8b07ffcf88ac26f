//! The values that fill the template of the sweep `product` for the body `quick`, and for the pairs that it leaves to the other
//! bodies.

use minijinja::{Value, context};

use super::call::{function_arguments, function_parameters};
use super::filter;
use super::inputs::input_arguments;
use super::layout::SEPARATOR;
use crate::errors::Internal;
use crate::model::SourceInput;
use crate::names::EXACT;

/// The function of the body `quick`, and how its other pairs are evaluated; nothing if the source does not have this body.
pub(super) fn context(input: &SourceInput<'_>) -> Result<Value, Internal> {
    let (Some(body), Some(dot)) = (input.quick(), &input.kernel.dot) else {
        return Ok(Value::from(()));
    };
    // The name in the body, the type and the argument of each of its own parameters.
    let product = Some((dot.name.clone(), dot.number.as_str(), "product"));
    let error = dot.has_error.then(|| (format!("{}_error", dot.name), "float", "error"));
    let exact = Some((EXACT.to_owned(), "td_exact", "{is_exact}"));
    let own: Vec<_> = [product, error, exact].into_iter().flatten().collect();
    let parameters = own.iter().map(|(name, cuda, _)| format!("const {cuda} {name}"));
    let arguments = own.iter().map(|(name, _, value)| (name.clone(), (*value).to_owned()));
    let (fold_parameters, fold_arguments) = fold_calls(input)?;
    Ok(context! {
        fold_parameters, fold_arguments,
        parameters => function_parameters(input, body, parameters),
        arguments => function_arguments(input, body, arguments),
    })
}

/// The parameters of the function that folds a pair, after its words, and the arguments of its call: the number of features, the
/// inputs of the `feature` body, and the folds.
fn fold_calls(input: &SourceInput<'_>) -> Result<(String, String), Internal> {
    let kernel = input.kernel;
    let arguments = kernel.feature.iter().map(|feature| input_arguments(input, feature));
    let arguments: Vec<_> = arguments.collect::<Result<_, _>>()?;
    let inputs = kernel.feature.iter().flat_map(|feature| kernel.inputs(feature));
    let inputs = inputs.flat_map(|each| each.kind.parameters(input, each));
    let inputs = inputs.zip(arguments.concat());
    let folds = kernel.folds.iter().map(|fold| {
        let (cuda, name) = (&fold.cuda.name, filter::value(&fold.plain_name()));
        (format!("{cuda} &{name}"), name)
    });
    let width = [("const unsigned int features".to_owned(), "features".to_owned())];
    let all = width.into_iter().chain(inputs).chain(folds);
    let (parameters, arguments): (Vec<_>, Vec<_>) = all.unzip();
    Ok((parameters.join(SEPARATOR), arguments.join(SEPARATOR)))
}
