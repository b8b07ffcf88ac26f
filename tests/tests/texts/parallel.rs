//! Parallel checks report every failure on the test's own thread.

use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use td_kernel_tests::parallel::CheckEach;

/// The message of the panic of these checks.
fn failure(items: &[i32], check: impl Fn(i32) + Sync + Send) -> String {
    let calls = AtomicUsize::new(0);
    let check = || {
        items.par_iter().check_each(|item| {
            calls.fetch_add(1, Ordering::Relaxed);
            check(*item);
        });
    };
    let payload = panic::catch_unwind(panic::AssertUnwindSafe(check)).unwrap_err();
    assert_eq!(calls.into_inner(), items.len());
    *payload.downcast::<String>().unwrap()
}

#[test]
fn failures_have_item_place_and_message() {
    let message = failure(&[7, 8, 9, 10], |item| match item {
        7 => assert_eq!(item + 1, 9, "a formatted message"),
        // Literals are payloads of another type.
        9 => panic!("a literal"),
        _ => {}
    });
    for part in
        ["2 of 4 items failed", "7, at ", "parallel.rs:", "left: 8", "right: 9", "a formatted"]
    {
        assert!(message.contains(part), "{part}: {message}");
    }
    let (first, last) = (message.find("a formatted message"), message.find("a literal"));
    assert!(first.is_some() && first < last && !message.contains("more"), "{message}");
}

#[test]
fn many_failures_are_counted() {
    let items: Vec<i32> = (0..1000).collect();
    let message = failure(&items, |item| assert!(item % 2 == 0, "{item} is odd"));
    assert!(message.starts_with("500 of 1000 items failed:\n\n1, at "), "{message}");
    assert!(message.contains("9 is odd") && !message.contains("11 is odd"), "{message}");
    assert!(message.ends_with("\n\nand 495 more"), "{message}");
}

#[test]
fn passed_checks_return_their_results() {
    let results = [4, 5, 6].par_iter().enumerate().check_each(|(turn, item)| turn * item);
    assert_eq!(results, [0, 5, 12]);
}
