//! Runs the checks on the saved inputs of the fuzzer. td-kernel's own tests replay the third corpus, that of the cache.

use td_kernel_fuzz::{attribute, body, corpus};

#[test]
fn attributes() {
    let inputs = corpus("attribute").unwrap();
    assert!(inputs.len() > 20, "{} inputs", inputs.len());
    for (name, data) in inputs {
        println!("{name}");
        attribute::check(&data);
    }
}

#[test]
fn bodies() {
    let (mut accepted, mut refused, mut preludes) = (0, 0, 0);
    for (name, data) in corpus("body").unwrap() {
        println!("{name}");
        let text = String::from_utf8_lossy(&data);
        body::check(&text);
        *if body::generated(&text).is_some() { &mut accepted } else { &mut refused } += 1;
        preludes += u32::from(body::with_prelude(&text).is_some());
    }
    assert!(accepted > 10 && refused > 10, "{accepted} accepted, {refused} refused");
    assert!(preludes > 5, "{preludes} preludes accepted");
}
