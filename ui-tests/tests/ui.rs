//! Every message that a user can cause at compile time.

#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("cases/*.rs");
}
