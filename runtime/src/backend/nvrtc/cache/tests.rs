use std::io::Write;
use std::sync::{Arc, Mutex};
use std::{fs, thread};

use tempfile::TempDir;

use super::super::Code;
use super::super::library::Identity;
use super::entry::{Defect, decode, encode};
use super::*;

fn nvrtc() -> Identity {
    Identity { path: "/opt/libnvrtc.so".into(), size: 1, modified: 2, head: vec![3] }
}

/// A key that differs from other keys in its source.
fn key(source: &str) -> Key {
    Key::of(&Inputs::new(&nvrtc(), "edm", source, &[], 90))
}

fn cubin() -> Compiled {
    Compiled { code: Code::Cubin(vec![0, 1, 2, 0, 255]), warnings: "unused variable".into() }
}

fn ptx() -> Compiled {
    Compiled { code: Code::Ptx(".version 8.0".into()), warnings: String::new() }
}

fn assert_same(found: Option<Compiled>, expected: &Compiled) {
    let found = found.expect("an entry");
    assert_eq!(found.warnings, expected.warnings);
    match (&found.code, &expected.code) {
        (Code::Cubin(found), Code::Cubin(expected)) => assert_eq!(found, expected),
        (Code::Ptx(found), Code::Ptx(expected)) => assert_eq!(found, expected),
        _ => panic!("another form of code"),
    }
}

/// A folder of the test's own, with a cache in it.
fn cache() -> (TempDir, Cache) {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::new(folder.path().join("kernels"));
    (folder, cache)
}

/// The warnings and errors logged on this thread while `work` runs.
fn warnings(work: impl FnOnce()) -> String {
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);
    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_max_level(tracing::Level::WARN)
        .with_writer(move || writer.clone())
        .finish();
    tracing::subscriber::with_default(subscriber, work);
    let text = log.0.lock().unwrap().clone();
    String::from_utf8(text).unwrap()
}

#[test]
fn stored_entry_is_found() {
    let (_folder, cache) = cache();
    let said = warnings(|| {
        assert!(cache.lookup(&key("a")).is_none());
        cache.store(&key("a"), &cubin());
        cache.store(&key("b"), &ptx());
        let later = Cache::new(cache.folder());
        assert_same(later.lookup(&key("a")), &cubin());
        assert_same(later.lookup(&key("b")), &ptx());
        assert!(later.lookup(&key("c")).is_none());
        later.store(&key("a"), &ptx());
        assert_same(cache.lookup(&key("a")), &ptx());
    });
    assert_eq!(said, "");
    assert_eq!(fs::read_dir(cache.folder()).unwrap().count(), 2, "no temporary file stays");
}

#[test]
fn each_input_changes_the_key() {
    let nvrtc = nvrtc();
    let this = Inputs::new(&nvrtc, "edm", "text", &[], 90);
    let other = |change: &dyn Fn(&mut Identity)| {
        let mut other = nvrtc.clone();
        change(&mut other);
        other
    };
    let nvrtcs = [
        other(&|nvrtc| nvrtc.path = "/opt/libnvrtc.so.12".into()),
        other(&|nvrtc| nvrtc.size += 1),
        other(&|nvrtc| nvrtc.modified += 1),
        other(&|nvrtc| nvrtc.head.push(0)),
    ];
    let mut all = vec![
        this,
        Inputs { format: this.format + 1, ..this },
        Inputs { version: "0.0.0", ..this },
        Inputs { common: &[], ..this },
        Inputs { common: &["--std=c++17", "--use_fast_math"], ..this },
        Inputs { options: &[""], ..this },
        Inputs { options: &["--use_fast_math"], ..this },
        Inputs { architecture: 80, ..this },
        Inputs { kernel: "other", ..this },
        Inputs { source: "other text", ..this },
        // The same letters, divided differently.
        Inputs { kernel: "edmt", source: "ext", ..this },
        Inputs { kernel: "", source: "edmtext", ..this },
    ];
    all.extend(nvrtcs.iter().map(|nvrtc| Inputs { nvrtc, ..this }));
    let keys: Vec<Key> = all.iter().map(Key::of).collect();
    let names: std::collections::BTreeSet<String> = keys.iter().map(Key::file_name).collect();
    assert_eq!(names.len(), keys.len());
    assert!(names.iter().all(|name| name.len() == 64), "{names:?}");

    let (_folder, cache) = cache();
    cache.store(&keys[0], &cubin());
    assert!(keys[1..].iter().all(|key| cache.lookup(key).is_none()));
    assert_eq!(Key::of(&this), keys[0]);
}

#[test]
fn damaged_entry_is_refused() {
    let key = key("a");
    for compiled in [cubin(), ptx()] {
        let whole = encode(&key, &compiled);
        assert_same(decode(&key, &whole).ok(), &compiled);
        for at in 0..whole.len() {
            assert!(decode(&key, &whole[..at]).is_err(), "{at} bytes");
            for bit in 0..8 {
                let mut changed = whole.clone();
                changed[at] ^= 1 << bit;
                assert!(decode(&key, &changed).is_err(), "byte {at}, bit {bit}");
            }
        }
        let longer = [whole.as_slice(), b"x"].concat();
        assert_eq!(decode(&key, &longer).err(), Some(Defect::Damaged));
    }
    let empty = Compiled { code: Code::Cubin(Vec::new()), warnings: String::new() };
    assert_eq!(decode(&key, &encode(&key, &empty)).err(), Some(Defect::Damaged));
}

#[test]
fn sealed_nonsense_is_refused() {
    // With a valid checksum, as an attacker would write it.
    let sealed = |rest: &[u8]| {
        let body = [key("a").digest().as_slice(), rest].concat();
        let checksum: [u8; 32] = <sha2::Sha256 as sha2::Digest>::digest(&body).into();
        [b"td-kernel entry\n".as_slice(), &checksum, &body].concat()
    };
    let none = 0_u64.to_le_bytes();
    let refused: [Vec<u8>; 7] = [
        vec![],
        vec![0, 1, 2],
        [&[2], none.as_slice(), b"neither form"].concat(),
        [&[0], 3_u64.to_le_bytes().as_slice(), b"ab"].concat(),
        [&[0], u64::MAX.to_le_bytes().as_slice(), b"ab"].concat(),
        [&[1], none.as_slice(), b"PTX with \0"].concat(),
        [&[1], none.as_slice(), b"\xff"].concat(),
    ];
    for rest in refused {
        assert_eq!(decode(&key("a"), &sealed(&rest)).err(), Some(Defect::Damaged), "{rest:?}");
    }
    assert!(decode(&key("a"), &sealed(&[&[0], none.as_slice(), b"code"].concat())).is_ok());
}

#[test]
fn damage_is_reported_and_overwritten() {
    let (_folder, cache) = cache();
    let path = cache.path(&key("a"));
    cache.store(&key("a"), &cubin());
    let entry = fs::read(&path).unwrap();
    let of_another = encode(&key("b"), &cubin());
    let cases: [(&[u8], &str); 4] = [
        (b"", "is not a compiled kernel"),
        (b"#!/bin/sh\n", "is not a compiled kernel"),
        (&entry[..entry.len() - 1], "is truncated, or was changed"),
        // As if two keys had the same file name.
        (&of_another, "is the entry of another kernel"),
    ];
    for (bytes, words) in cases {
        fs::write(&path, bytes).unwrap();
        let said = warnings(|| assert!(cache.lookup(&key("a")).is_none()));
        assert!(said.contains(words) && said.contains(&key("a").file_name()), "{said}");
        cache.store(&key("a"), &cubin());
        assert_same(cache.lookup(&key("a")), &cubin());
    }
}

#[test]
fn unusable_folder_is_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "in the folder's place").unwrap();
    for place in [file.clone(), file.join("below")] {
        let cache = Cache::new(&place);
        let said = warnings(|| {
            for source in ["a", "b"] {
                assert!(cache.lookup(&key(source)).is_none());
                cache.store(&key(source), &cubin());
            }
        });
        assert_eq!(said.lines().count(), 1, "{said}");
        let parts = ["cannot store", place.to_str().unwrap(), "TD_KERNEL_CACHE", "with_cache"];
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
    }
}

#[test]
fn folder_named_like_an_entry_is_reported() {
    let (_folder, cache) = cache();
    fs::create_dir_all(cache.path(&key("a")).join("below")).unwrap();
    let said = warnings(|| {
        assert!(cache.lookup(&key("a")).is_none());
        cache.store(&key("a"), &cubin());
        assert!(cache.lookup(&key("a")).is_none());
    });
    assert!(said.contains("it is not a file") && said.contains("cannot store"), "{said}");
}

#[test]
fn threads_store_whole_entries() {
    let (_folder, first) = cache();
    let large = Compiled { code: Code::Cubin(vec![7; 1 << 16]), warnings: "w".repeat(1 << 12) };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let cache = Cache::new(first.folder());
                let said = warnings(|| {
                    for _ in 0..50 {
                        cache.store(&key("a"), &large);
                        assert_same(cache.lookup(&key("a")), &large);
                    }
                });
                assert_eq!(said, "");
            });
        }
    });
    assert_eq!(fs::read_dir(first.folder()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn open_folder_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    for (mode, is_reported) in [(0o700, false), (0o775, false), (0o777, true), (0o1777, true)] {
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
        let said = warnings(|| drop(Cache::new(folder.path())));
        assert_eq!(said.contains("every user of this machine can write"), is_reported, "{said}");
    }
    assert_eq!(warnings(|| drop(Cache::new(folder.path().join("new")))), "");
}

#[test]
fn empty_path_turns_the_cache_off() {
    assert!(Cache::asked_for(None).is_none());
    assert!(Cache::asked_for(Some(OsString::new())).is_none());
    let cache = Cache::asked_for(Some("kernels".into())).unwrap();
    assert!(cache.folder().is_absolute() && cache.folder().ends_with("kernels"));
    assert!(Cache::new("").is_off() && !Cache::new(".").is_off());
    assert_eq!(Cache::new("").folder(), Path::new(""));
}

#[test]
fn fuzzers_corpus_passes() {
    // The folder is beside the crates in the repository, and is not in this crate's package.
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/cache");
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(corpus).into_iter().flatten() {
        let data = fs::read(entry.unwrap().path()).unwrap();
        damage::check(folder.path(), &data).unwrap();
        crate::plan::tuned::check(folder.path(), &data).unwrap();
    }
    for way in 0..16 {
        for rest in [b"".as_slice(), b"\x05\x00\x01", b"td-kernel entry\n"] {
            damage::check(folder.path(), &[&[way], rest].concat()).unwrap();
        }
    }
}
