use super::*;

/// The circles of a crate with these files.
fn circles(files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut read = Crate::default();
    read.file(folder.path(), Path::new(files[0].0), &Names::new()).unwrap();
    read.folders().values().flat_map(found).collect()
}

#[test]
fn a_circle_is_named_with_its_places() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "\nuse crate::b::B;"),
        ("b.rs", "fn b() { let _ = [crate::c::f::<u8>()]; }"),
        ("c.rs", "use crate::{b as _, a::{self, A}};"),
    ];
    let expected = [
        "a -> b -> c -> a\n    a.rs:2: a uses b\n    b.rs:1: b uses c\n    c.rs:1: c uses a",
        "b -> c -> b\n    b.rs:1: b uses c\n    c.rs:1: c uses b",
    ];
    let mut found = circles(&files);
    found.sort();
    assert_eq!(found.len(), 2, "{found:#?}");
    assert_eq!(found[1], expected[1]);
    assert_eq!(found[0], expected[0]);
}

#[test]
fn what_the_root_imports_is_where_it_comes_from() {
    let files = [
        ("lib.rs", "mod a; mod b; pub use self::a::inner::A as Renamed; pub use b::B;"),
        ("a/mod.rs", "pub mod inner;"),
        ("a/inner.rs", "fn f(_: &crate::B) {}"),
        ("b.rs", "struct B; macro_rules! m { () => { $crate::Renamed } }"),
    ];
    assert_eq!(circles(&files).len(), 1);
    // Modules below another are compared with those beside them.
    let files = [
        ("main.rs", "mod a;"),
        ("a.rs", "mod b; mod c { use super::b::B; }"),
        ("a/b.rs", "pub struct B(super::c::C);"),
    ];
    assert_eq!(circles(&files), ["b -> c -> b\n    a/b.rs:1: b uses c\n    a.rs:1: c uses b"]);
}

#[test]
fn tests_and_other_crates_make_no_circle() {
    let a = "use b::B; #[cfg(test)] mod tests { use crate::b::B; }
        #[cfg(all(test, unix))] use crate::b::B; #[test] fn f<A, B>() { crate::b::f() }
        struct S { #[cfg(test)] field: crate::b::B, other: u8 }
        impl S { #[cfg(test)] fn f() { crate::b::f() } fn g() { #[cfg(test)] crate::b::f(); } }";
    let files = [("lib.rs", "mod a; mod b;"), ("a.rs", a), ("b.rs", "use crate::a;")];
    assert_eq!(circles(&files), [""; 0]);
    let used = a.replace("other: u8", "other: crate::b::B");
    let files = [files[0], ("a.rs", &used), files[2]];
    assert_eq!(circles(&files).len(), 1);
}
