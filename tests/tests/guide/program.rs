//! The programs of the guide, as processes, print the outputs in the guide.

use std::process::Command;

/// What the program prints.
fn printed(program: &str) -> String {
    let output = Command::new(program).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn first_program_prints_as_documented() {
    let (printed, expected) =
        (printed(env!("CARGO_BIN_EXE_guide-first")), include_str!("first.txt"));
    // The device depends on the machine.
    let of = |text: &str| {
        text.split_once('\n').map(|(device, rest)| (device.to_owned(), rest.to_owned()))
    };
    let ((device, printed), (cpu, expected)) = (of(&printed).unwrap(), of(expected).unwrap());
    assert_eq!(printed, expected);
    assert!(device.starts_with("device: ") && cpu.starts_with("device: CPU ("), "{device}");
}

#[test]
fn programs_of_tasks_print_as_documented() {
    let programs = [
        (env!("CARGO_BIN_EXE_guide-histogram"), include_str!("histogram.txt")),
        (env!("CARGO_BIN_EXE_guide-lists"), include_str!("lists.txt")),
        (env!("CARGO_BIN_EXE_guide-many-sets"), include_str!("many_sets.txt")),
        (env!("CARGO_BIN_EXE_guide-complexes"), include_str!("complexes.txt")),
        (env!("CARGO_BIN_EXE_guide-given"), include_str!("given.txt")),
        (env!("CARGO_BIN_EXE_guide-near"), include_str!("near.txt")),
        (env!("CARGO_BIN_EXE_guide-products"), include_str!("products.txt")),
        (env!("CARGO_BIN_EXE_guide-two-sets"), include_str!("two_sets.txt")),
    ];
    for (program, expected) in programs {
        assert_eq!(printed(program), expected, "{program}");
    }
}
