//! Checks of many items in parallel, whose failures a test prints.
//!
//! The test harness captures the output of a test's own thread, not that of a pool's threads. And a pool keeps only one of its
//! threads' panics.

use std::any::Any;
use std::cell::RefCell;
use std::fmt::Debug;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use rayon::prelude::*;

/// The failures that are printed in full.
const SHOWN: usize = 5;

/// The characters of an item that are printed: an item may have a kernel's source.
const LENGTH: usize = 600;

thread_local! {
    /// The place of this thread's latest panic.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A parallel iterator whose items are checked.
pub trait CheckEach: ParallelIterator {
    /// Calls `check` with each item, in parallel, and with all of them even if some fail. Returns what it returned, in order.
    ///
    /// # Panics
    ///
    /// At the end, on the caller's thread, if `check` panicked: with the items that failed, and each one's message and place.
    #[allow(clippy::panic)]
    #[track_caller]
    fn check_each<R: Send>(self, check: impl Fn(Self::Item) -> R + Sync + Send) -> Vec<R>
    where
        Self::Item: Debug,
    {
        keep_places();
        let result = |item: Self::Item| {
            let name: String = format!("{item:?}").chars().take(LENGTH).collect();
            // A panic of another pool's thread leaves its place there.
            PLACE.take();
            let result = panic::catch_unwind(AssertUnwindSafe(|| check(item)));
            result.map_err(|payload| format!("{name}{}", message(&*payload)))
        };
        let results: Vec<_> = self.map(result).collect();
        let failures: Vec<_> = results.iter().filter_map(|result| result.as_ref().err()).collect();
        if !failures.is_empty() {
            let shown: Vec<_> = failures.iter().take(SHOWN).map(|text| text.as_str()).collect();
            let more = match failures.len() - shown.len() {
                0 => String::new(),
                more => format!("\n\nand {more} more"),
            };
            let (count, all) = (failures.len(), results.len());
            panic!("{count} of {all} items failed:\n\n{}{more}", shown.join("\n\n"));
        }
        results.into_iter().flatten().collect()
    }
}

impl<I: ParallelIterator> CheckEach for I {}

/// Adds to the panic hook that a thread keeps the place of its panic, which the payload lacks.
fn keep_places() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            PLACE.set(info.location().map(ToString::to_string));
            before(info);
        }));
    });
}

/// The place and the message of this thread's panic.
fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    let place = PLACE.take().map(|place| format!(", at {place}")).unwrap_or_default();
    format!("{place}:\n{}", text.unwrap_or("a panic without a message"))
}
