//! The templates of the kernels, which read as CUDA, and the code that fills them.
//!
//! `${…}` is a value. A line that starts with `//%` is a loop, a condition or a macro of the template; a line that starts with
//! `//#` is a comment in it.

use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, Value};

use super::layout::NOTHING;
use crate::errors::Internal;

/// The templates, by file name.
const TEMPLATES: &[(&str, &str)] = &[
    ("kernel.cu", include_str!("../../kernels/kernel.cu")),
    ("prelude.cu", include_str!("../../kernels/prelude.cu")),
    ("parts.cu", include_str!("../../kernels/parts.cu")),
    ("classic.cu", include_str!("../../kernels/classic.cu")),
    ("columns.cu", include_str!("../../kernels/columns.cu")),
    ("rotate.cu", include_str!("../../kernels/rotate.cu")),
    ("rows.cu", include_str!("../../kernels/rows.cu")),
    ("mirror.cu", include_str!("../../kernels/mirror.cu")),
    ("fold.cu", include_str!("../../kernels/fold.cu")),
    ("filter.cu", include_str!("../../kernels/filter.cu")),
    ("filter_nearest.cu", include_str!("../../kernels/filter_nearest.cu")),
    ("filter_pairs.cu", include_str!("../../kernels/filter_pairs.cu")),
    ("product.cu", include_str!("../../kernels/product.cu")),
    ("product_bytes.cu", include_str!("../../kernels/product_bytes.cu")),
    ("boxes.cu", include_str!("../../kernels/boxes.cu")),
    ("near.cu", include_str!("../../kernels/near.cu")),
    ("near_nearest.cu", include_str!("../../kernels/near_nearest.cu")),
    ("near_nearest.cpp", include_str!("../../kernels/near_nearest.cpp")),
    ("near.cpp", include_str!("../../kernels/near.cpp")),
    ("entries.cu", include_str!("../../kernels/entries.cu")),
    ("partners.cu", include_str!("../../kernels/partners.cu")),
    ("entries.cpp", include_str!("../../kernels/entries.cpp")),
    ("reduce.cu", include_str!("../../kernels/reduce.cu")),
    ("reduce.cpp", include_str!("../../kernels/reduce.cpp")),
    ("sets.cu", include_str!("../../kernels/sets.cu")),
    ("sets.cpp", include_str!("../../kernels/sets.cpp")),
    ("set_rows.cu", include_str!("../../kernels/set_rows.cu")),
    ("set_rows.cpp", include_str!("../../kernels/set_rows.cpp")),
    ("kernel.cpp", include_str!("../../kernels/kernel.cpp")),
    ("parts.cpp", include_str!("../../kernels/parts.cpp")),
    ("feature_loops.cpp", include_str!("../../kernels/feature_loops.cpp")),
    ("loops.cpp", include_str!("../../kernels/loops.cpp")),
];

/// The templates, parsed once. They are part of this crate, and a test fills each of them, so an error in one is never the
/// user's.
static ENVIRONMENT: LazyLock<Result<Environment<'static>, Error>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax = SyntaxConfig::builder()
        .block_delimiters("{%", "%}")
        .variable_delimiters("${", "}")
        .comment_delimiters("{#", "#}")
        .line_statement_prefix("//%")
        .line_comment_prefix("//#")
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true)
        .build()?;
    environment.set_syntax(syntax);
    // An empty value alone on a line removes the line. A value loses its last line break, because the template has one after
    // it.
    environment.set_formatter(|out, _, value| {
        // A template may ask for an absent value, but not write it.
        if value.is_undefined() || value.is_none() {
            return Err(Error::from(ErrorKind::UndefinedError));
        }
        let text = value.to_string();
        let text = text.trim_end_matches('\n');
        let written = out.write_str(if text.is_empty() { NOTHING } else { text });
        written.map_err(|_| Error::from(ErrorKind::WriteFailure))
    });
    environment.add_filter("replace", |text: &str, from: &str, to: &str| text.replace(from, to));
    for (name, text) in TEMPLATES {
        environment.add_template(name, text)?;
    }
    Ok(environment)
});

/// Fills the template. An error in a template is one of this crate.
pub(super) fn fill(template: &str, context: Value) -> Result<String, Internal> {
    let internal = |error: &Error| Internal(format!("the template `{template}`: {error:#}"));
    let environment = ENVIRONMENT.as_ref().map_err(internal)?;
    let filled = environment.get_template(template).and_then(|found| found.render(context));
    filled.map_err(|error| internal(&error))
}

#[cfg(test)]
mod tests {
    use minijinja::context;
    use proc_macro2::TokenStream;

    use super::*;

    #[test]
    fn wrong_template_is_an_internal_error() {
        for (template, context) in [
            ("missing.cu", context! {}),
            ("prelude.cu", context! {}),
            ("prelude.cu", context! { constants => [()], prelude => false }),
        ] {
            let Err(error) = fill(template, context) else { panic!("{template} is filled") };
            let tokens = TokenStream::from(error).to_string();
            assert!(tokens.contains("compile_error"), "{tokens}");
            assert!(tokens.contains(template), "{tokens}");
        }
    }
}
