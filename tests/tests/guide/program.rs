//! The first program, as a process, prints the output in the guide.

use std::process::Command;

#[test]
fn first_program_prints_as_documented() {
    let output = Command::new(env!("CARGO_BIN_EXE_guide-first")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let (printed, expected) =
        (String::from_utf8(output.stdout).unwrap(), include_str!("first.txt"));
    // The device depends on the machine.
    let of = |text: &str| {
        text.split_once('\n').map(|(device, rest)| (device.to_owned(), rest.to_owned()))
    };
    let ((device, printed), (cpu, expected)) = (of(&printed).unwrap(), of(expected).unwrap());
    assert_eq!(printed, expected);
    assert!(device.starts_with("device: ") && cpu.starts_with("device: CPU ("), "{device}");
}
