//! What compilers say about a kernel, made readable for the author of its body.

/// Types that only the generated text has, and what each is in the user's terms.
const TYPES: &[(&str, &str)] = &[
    ("td_each<", "an `#[each]` parameter: the pair's two elements are its `.i` and `.j`"),
    ("td_sum<", "a `Sum` parameter: write its name, `+=` and a value"),
    ("td_wide_sum<", "a `Sum` parameter: write its name, `+=` and a value"),
    ("td_float_sum", "a `Sum` parameter: write its name, `+=` and a value"),
    ("td_partial", "a `Sum` parameter: write its name, `+=` and a value"),
    ("td_tally", "a `Sum` parameter: write its name, `+=` and a value"),
    ("td_pushed", "a `Pairs` parameter: write its name and `.push();`"),
];

/// What compilers say when a body takes a member of a pointer.
const POINTERS: &[&str] = &["must have class type", "pointer type"];

/// The messages, with notes on each name that comes from the generated text and not from the user.
pub(crate) fn explained(kernel: &str, log: &str) -> String {
    let errors: Vec<&str> = log.lines().filter(|line| line.contains("error")).collect();
    let is_named = |name: &str| errors.iter().any(|line| line.contains(name));
    let types = TYPES.iter().filter(|(name, _)| is_named(name));
    let types =
        types.map(|(name, meaning)| format!("`{}` is {meaning}", name.trim_end_matches('<')));
    let takes_members = errors.iter().any(|line| POINTERS.iter().any(|words| line.contains(words)));
    let pointer = takes_members.then(|| {
        "only parameters with `#[each]` have `.i` and `.j`; one with `#[row]` or `#[column]` is the pair's element itself, and another slice is a pointer to all of its elements".to_owned()
    });
    let file = format!("{kernel}.cu");
    let is_generated =
        |line: &str| line.strip_prefix(&file).is_some_and(|rest| rest.starts_with(':'));
    let generated = log
        .lines()
        .any(is_generated)
        .then(|| format!("`{file}` is the generated text, which `{kernel}::SOURCE` holds"));
    let notes: String =
        types.chain(pointer).chain(generated).map(|note| format!("\nnote: {note}")).collect();
    format!("{}{notes}", log.trim_end())
}

#[cfg(test)]
mod tests {
    use super::explained;

    #[test]
    fn types_of_the_generated_text_are_explained() {
        let log = "src/main.rs:9: error: class \"td_each<float4>\" has no member \"k\"";
        let text = explained("edm", log);
        assert_eq!(
            text,
            format!(
                "{log}\nnote: `td_each` is an `#[each]` parameter: the pair's two elements are its `.i` and `.j`"
            )
        );
        assert_eq!(explained("edm", "src/medm.cu:3: error: no"), "src/medm.cu:3: error: no");
        let text = explained("edm", "edm.cu:3: error: no\n");
        assert_eq!(
            text,
            "edm.cu:3: error: no\nnote: `edm.cu` is the generated text, which `edm::SOURCE` holds"
        );
    }
}
