//! Messages of errors.

use std::fmt::Display;

#[doc(hidden)]
pub use td_kernel::ErrorKind;

/// Words of a message, or several.
pub trait Words {
    /// Each of them.
    fn each(&self) -> Vec<&str>;
}

impl Words for &str {
    fn each(&self) -> Vec<&str> {
        vec![self]
    }
}

impl Words for String {
    fn each(&self) -> Vec<&str> {
        vec![self]
    }
}

impl<const N: usize> Words for [&str; N] {
    fn each(&self) -> Vec<&str> {
        self.to_vec()
    }
}

/// The error of a call that must have failed. Its message must have these words: at its begin if they follow `^`, and at its end if
/// `$` follows them.
///
/// # Panics
///
/// If the call has not failed, or its message has other words.
#[allow(clippy::panic)]
#[track_caller]
pub fn failed<T, E: Display>(result: Result<T, E>, call: &str, words: impl Words) -> E {
    let Err(error) = result else { panic!("no error of {call}") };
    let text = error.to_string();
    for words in words.each() {
        let has = match (words.strip_prefix('^'), words.strip_suffix('$')) {
            (Some(first), _) => text.starts_with(first),
            (_, Some(last)) => text.ends_with(last),
            _ => text.contains(words),
        };
        assert!(has, "{words:?} in {text:?}, of {call}");
    }
    error
}

/// Checks that calls fail: with words of the message as of [`failed`](crate::errors::failed) and, if they are given, the kind, the
/// argument and the kernel of the error, as in `kernel.launch(&x, &mut out) => "has 5 slots", Arguments "out" in "distance";`.
#[macro_export]
macro_rules! assert_errors {
    ($($result:expr => $words:expr $(, $kind:ident $($argument:literal)? $(in $kernel:literal)?)?;)*) => {{$({
        let error = $crate::errors::failed($result, stringify!($result), $words);
        $(
            assert_eq!(error.kind(), $crate::errors::ErrorKind::$kind, "{error}");
            $(assert_eq!(error.argument(), Some($argument), "{error}");)?
            $(assert_eq!(error.kernel(), Some($kernel), "{error}");)?
            assert_eq!(format!("{error:?}"), error.to_string());
        )?
        drop(error);
    })*}};
}

/// Checks that calls fail with an error of this pattern, and words of its message as of [`failed`](crate::errors::failed).
#[macro_export]
macro_rules! assert_failures {
    ($($result:expr => $pattern:pat, $words:expr;)*) => {$({
        let failure = $crate::errors::failed($result, stringify!($result), $words);
        assert!(matches!(failure, $pattern), "{failure}");
    })*};
}
