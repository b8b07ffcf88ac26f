//! What chooses the sweep of a kernel for one set, beside the outputs under test: features, slots, or results of elements.

use td_kernel::{Device, Packed, Result, Shape, Square, Sums};

use crate::folds::Added;
use crate::{Choice, Sweep};

/// The kernel for this choice: `OTHERS` in its parameters and its body is replaced. `None` for a sweep that visits pairs twice.
pub(crate) fn item(choice: &Choice, kernel: &str) -> Option<String> {
    let (parameter, statement) = match choice.sweep {
        Sweep::Rows if choice.square => return None,
        Sweep::Rows => ("slot: &mut Packed<u8>,", "slot = i;"),
        Sweep::Mirror => ("slot: &mut Square<u8>,", "slot = i;"),
        Sweep::Fold if choice.square => ("slot: &mut Square<u8>,", "slot = i;"),
        Sweep::Rotate => ("#[each] degree: &mut Sums<u32>,", "degree.i += 1; degree.j += 1;"),
        _ => ("", ""),
    };
    Some(kernel.replacen("OTHERS", parameter, 1).replacen("OTHERS", statement, 1))
}

/// The arguments.
pub(crate) struct Others {
    pub(crate) added: Added,
    pub(crate) packed: Packed<u8>,
    pub(crate) square: Square<u8>,
    pub(crate) degree: Sums<u32>,
}

impl Others {
    pub(crate) fn new(device: &Device, choice: &Choice, n: usize) -> Result<Others> {
        let packed = match choice.diagonal {
            true => device.packed(Shape::triangle(n).with_diagonal())?,
            false => device.packed(n)?,
        };
        let (square, degree) = (device.square(n)?, device.sums(n)?);
        Ok(Others { added: Added::of_one(device, choice.sweep, n)?, packed, square, degree })
    }
}

/// Passes them, and the elements, to a launch, whose type cannot be named here.
macro_rules! pass {
    ($launch:ident, $choice:expr, $others:ident, $x:expr) => {
        $crate::folds::pass!($launch, $others.added);
        $launch.bind(Axis::Each, "x", Slice::view($x))?;
        match $choice.sweep {
            Sweep::Rows => $launch.bind(Axis::All, "slot", output(&mut $others.packed))?,
            Sweep::Mirror => $launch.bind(Axis::All, "slot", output(&mut $others.square))?,
            Sweep::Fold if $choice.square => {
                $launch.bind(Axis::All, "slot", output(&mut $others.square))?;
            }
            Sweep::Rotate => $launch.bind(Axis::Each, "degree", &mut $others.degree)?,
            _ => {}
        }
    };
}
pub(crate) use pass;
