//! The causes of errors of several devices.

use super::Error;

/// What is wrong with several devices, or on one of them.
#[derive(thiserror::Error, Debug)]
pub(crate) enum DevicesCause {
    #[error("a list of no devices is given: give at least one, or write `Devices::all()`")]
    Empty {},

    #[error(
        "of {of} devices there are no {count} from number {first} on: give all processes the same number of devices in all, and each the number of those before its own"
    )]
    NoPart { count: usize, first: usize, of: usize },

    /// `error` is in the message, and so no `source` of the error.
    #[error("on device {index} ({device}): {error}")]
    OnDevice { index: usize, device: String, error: Error },

    #[error(
        "a `{what}` is on one device, and these are {devices}: write `kernel.bands(…)`, whose bands go to all of these; or make one on each, as in `for device in devices.iter()`, with the rows that it is to have: `{instead}`"
    )]
    Slots { what: &'static str, devices: String, instead: &'static str },

    #[error(
        "kernel `{kernel}` stores a value for each pair in `{argument}`, which is on one device at most, and it is launched on {devices}: write `kernel.bands(…)`, whose bands go to all of these; or load it for each, as in `for device in devices.iter()`, and launch `kernel.rows(a..b)` there, into `device.packed_rows(n, a..b)` or `device.matrix_rows(rows, columns, a..b)`"
    )]
    Stores { kernel: &'static str, argument: &'static str, devices: String },

    #[error(
        "kernel `{kernel}` cannot be shared by {devices}, each of which is to visit some of the rows: {why}"
    )]
    NoRows { kernel: &'static str, devices: String, why: String },

    #[error(
        "kernel `{kernel}`: each of {devices} would write a copy of `{argument}`, and nothing tells how to make one of them: write a result of elements, as in `#[each] {argument}: &mut Sum<T>`, or launch it on one device"
    )]
    Written { kernel: &'static str, argument: &'static str, devices: String },

    /// `place` and `found` are how many devices come before the first one, and how many there are.
    #[error(
        "kernel `{kernel}`: `{argument}` is for devices {}..{} of {} that share each launch, but the kernel was loaded for devices {}..{} of {}, which visit other pairs: make the output and load the kernel by the same `Devices`, those that `part_of` returned",
        found[0],
        found[0] + count,
        found[1],
        place[0],
        place[0] + count,
        place[1]
    )]
    OtherPart {
        kernel: &'static str,
        argument: &'static str,
        count: usize,
        place: [usize; 2],
        found: [usize; 2],
    },

    #[error(
        "kernel `{kernel}` is {choice} on devices that share its launches with other processes: each process cuts the pairs by itself, and where it cuts follows from the variant, which has to be the same in all of them: leave that out, or choose by the keys `map` and `tile` of the kernel's attribute, which all processes have"
    )]
    OwnChoice { kernel: &'static str, choice: &'static str },

    #[error(
        "{found} words do not belong to this output, which has {expected} cells: join those of outputs of the same type, with as many elements, made by the same version of td-kernel"
    )]
    OtherWords { found: usize, expected: usize },

    #[error(
        "these exact sums have been added to so often that they might overflow their words when they are joined: download them more often, and `clear()` them"
    )]
    FullSum {},

    #[error(
        "a launch has failed ({failure}), so this result may have what other devices have added, and not the rest: `clear()` it, and launch again"
    )]
    Incomplete { failure: String },
}

impl DevicesCause {
    /// The kernel that it is about.
    pub(super) fn kernel(&self) -> Option<&str> {
        match self {
            DevicesCause::Stores { kernel, .. }
            | DevicesCause::NoRows { kernel, .. }
            | DevicesCause::OwnChoice { kernel, .. }
            | DevicesCause::OtherPart { kernel, .. }
            | DevicesCause::Written { kernel, .. } => Some(kernel),
            _ => None,
        }
    }

    /// The argument that it is about.
    pub(super) fn argument(&self) -> Option<&str> {
        match self {
            DevicesCause::Stores { argument, .. }
            | DevicesCause::OtherPart { argument, .. }
            | DevicesCause::Written { argument, .. } => Some(argument),
            _ => None,
        }
    }
}
