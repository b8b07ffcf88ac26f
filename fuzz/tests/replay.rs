//! The checks on what fuzzers have found worth keeping. The third corpus, of the cache, is replayed
//! by td-kernel's own tests.

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
    let inputs = corpus("body").unwrap();
    assert!(inputs.len() > 20, "{} inputs", inputs.len());
    for (name, data) in inputs {
        println!("{name}");
        body::check(&String::from_utf8_lossy(&data));
    }
}
