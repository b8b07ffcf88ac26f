//! The cache key: everything that NVRTC's result depends on, as one hash.

use sha2::{Digest, Sha256};

use crate::backend::nvrtc::OPTIONS;
use crate::backend::nvrtc::library::Identity;

/// The version of the entry layout; increase it with each change.
pub(super) const FORMAT: u32 = 1;

/// Everything that must be equal for two compilations to share an entry.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'a> {
    pub(super) format: u32,
    /// The version of this crate.
    pub(super) version: &'a str,
    pub(super) nvrtc: &'a Identity,
    /// The options of every source.
    pub(super) common: &'a [&'a str],
    /// The options of this source.
    pub(super) options: &'a [&'a str],
    pub(super) architecture: u32,
    pub(super) kernel: &'a str,
    pub(super) source: &'a str,
}

impl<'a> Inputs<'a> {
    /// A compilation by this version of the crate.
    pub(super) fn new(
        nvrtc: &'a Identity,
        kernel: &'a str,
        source: &'a str,
        options: &'a [&'a str],
        architecture: u32,
    ) -> Inputs<'a> {
        let (format, version, common) = (FORMAT, env!("CARGO_PKG_VERSION"), OPTIONS);
        Inputs { format, version, nvrtc, common, options, architecture, kernel, source }
    }
}

/// The SHA-256 of all inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    digest: [u8; 32],
}

impl Key {
    pub(super) fn of(inputs: &Inputs<'_>) -> Key {
        let mut hash = Sha256::new();
        // Each part follows its length, so different divisions into parts give different keys.
        let mut part = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        part(&inputs.format.to_le_bytes());
        part(inputs.version.as_bytes());
        part(inputs.nvrtc.path.as_os_str().as_encoded_bytes());
        part(&inputs.nvrtc.size.to_le_bytes());
        part(&inputs.nvrtc.modified.to_le_bytes());
        part(&inputs.nvrtc.head);
        for options in [inputs.common, inputs.options] {
            part(&(options.len() as u64).to_le_bytes());
            options.iter().for_each(|option| part(option.as_bytes()));
        }
        part(&inputs.architecture.to_le_bytes());
        part(inputs.kernel.as_bytes());
        part(inputs.source.as_bytes());
        Key { digest: hash.finalize().into() }
    }

    pub(super) fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// The entry's file name, which has the same length for every key.
    pub(super) fn file_name(&self) -> String {
        base16ct::lower::encode_string(&self.digest)
    }
}

/// Options that name no file, up to their value. Other options may read files: `--pre-include`, `-I` and `--options-file` each
/// have several spellings.
const FILELESS: &[&str] = &[
    "--define-macro",
    "--device-as-default-execution-space",
    "--fmad",
    "--ftz",
    "--maxrregcount",
    "--prec-div",
    "--prec-sqrt",
    "--use_fast_math",
];

/// Whether the source or an option may read other files. When in doubt it is `true`: the source is then just not cached.
pub(super) fn reads_files(source: &str, options: &[&str]) -> bool {
    let is_fileless = |option: &str| {
        let name = option.split_once('=').map_or(option, |(name, _)| name);
        FILELESS.contains(&name)
    };
    includes_files(source) || !options.iter().all(|option| is_fileless(option))
}

pub(crate) fn includes_files(source: &str) -> bool {
    // A backslash at the end of a line continues a directive.
    let source = source.replace("\\\r\n", "").replace("\\\n", "");
    // `#` has two other spellings, and a comment may stand between it and the directive's name.
    let directives = ["#", "%:", "??="].into_iter().flat_map(|mark| source.split(mark).skip(1));
    let mut directives = directives.map(str::trim_start);
    let names = ["include", "import", "embed", "/*"];
    source.contains("__has_include")
        || source.contains("__has_embed")
        || directives.any(|text| names.iter().any(|name| text.starts_with(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The option for sources with a prelude.
    const OF_PRELUDES: &str = "--device-as-default-execution-space";

    #[test]
    fn file_reading_options_are_detected() {
        for option in [
            "--pre-include=h.h",
            "-include=h.h",
            "--include-path=folder",
            "-Ifolder",
            "-I folder",
            "--options-file=f",
            "-optf=f",
            "--fmadness=f",
            "--pch",
            "",
        ] {
            assert!(reads_files("int x;", &[option]), "{option}");
        }
        for options in [["--fmad=false", "--use_fast_math"], ["--ftz=true", OF_PRELUDES]] {
            assert!(!reads_files("int x;", &options), "{options:?}");
        }
    }

    #[test]
    fn includes_are_detected() {
        let including = [
            "#include \"a.h\"",
            "int x;\n  #  include <a.h>",
            "%:include \"a.h\"",
            "??=include \"a.h\"",
            "#inc\\\nlude \"a.h\"",
            "#\\\r\ninclude \"a.h\"",
            "#/* a\ncomment */include \"a.h\"",
            "/* a comment */ #include \"a.h\"",
            "#if __has_include(\"a.h\")\n#endif",
            "#include_next <a.h>",
        ];
        assert!(including.iter().all(|source| includes_files(source)));
        let not_including = [
            "",
            "#line 1 \"src/include/main.rs\"\nint include = 1;",
            "#define TD_WIDE\n#pragma unroll\n// This does not include \"a.h\".",
        ];
        assert!(!not_including.iter().any(|source| includes_files(source)));
    }
}
