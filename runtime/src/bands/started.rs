//! Bands on their way: one is computed, the one before is copied to the host, and the one before that is the caller's.

use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;

use super::slots::BandSlots;
use super::whole::{Cut, Whole};
use super::{Launch, Report};
use crate::backend::Relay;
use crate::error::BandsCause;
use crate::view::View;
use crate::{Device, DeviceType, Pinned, Result};

/// The values of some rows, lent until the next band is asked for.
///
/// The values are in the order of a [`Packed`](crate::Packed) of these rows, or of a [`Matrix`](crate::Matrix).
///
/// ```
/// use td_kernel::{Band, Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
///     r#" distance = fabsf(x.i - x.j); "#
/// }
///
/// /// The closest pair among those of a band, as (row, column, distance).
/// fn closest(band: &Band<'_, f32>) -> Option<(usize, usize, f32)> {
///     let pairs = band.each_row().flat_map(|(i, row)| {
///         row.iter().enumerate().map(move |(j, distance)| (i, j, *distance))
///     });
///     pairs.min_by(|one, other| one.2.total_cmp(&other.2))
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload(&[0.0, 4.0, 9.0, 3.0, 20.0, 8.5])?;
/// let mut found = Vec::new();
/// distance::load(&device)?.bands(&x)?.height(2).each(|band| {
///     // The place of the band's first value, were all values in one array.
///     assert_eq!(band.start, [0, 1, 6][band.rows.start / 2]);
///     found.extend(closest(&band));
///     Ok(())
/// })?;
/// assert_eq!(found, [(1, 0, 4.0), (3, 1, 1.0), (5, 2, 0.5)]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Band<'b, T> {
    /// The rows: of a triangle, the larger indices of the pairs.
    pub rows: Range<usize>,
    /// How many values all rows before these have: the place of the first value among those of all rows.
    pub start: usize,
    /// The values: in pinned memory of the host, or where the CPU has computed them.
    pub values: &'b [T],
    whole: &'b Whole,
}

impl<'b, T> Band<'b, T> {
    /// The index of each row, and its values.
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn difference(#[each] x: &[i32], difference: &mut Packed<i32>) {
    ///     r#" difference = x.i - x.j; "#
    /// }
    ///
    /// let device = Device::cpu()?;
    /// let x = device.upload(&[1, 3, 9])?;
    /// let mut bands = difference::load(&device)?.bands(&x)?.start()?;
    /// while let Some(band) = bands.next()? {
    ///     for (i, row) in band.each_row() {
    ///         println!("{i}: {row:?}"); // 0: [], 1: [2], 2: [8, 6]
    /// #       assert_eq!(row, [&[][..], &[2], &[8, 6]][i]);
    ///     }
    /// }
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    pub fn each_row(&self) -> impl ExactSizeIterator<Item = (usize, &'b [T])> {
        let (values, whole, first) = (self.values, self.whole, self.start);
        let row = move |i| (i, &values[whole.start(i) - first..whole.start(i + 1) - first]);
        self.rows.clone().map(row)
    }
}

/// Bands that are being computed, from [`Bands::start`](super::Bands::start).
///
/// It lends one band after another, and so it is no `Iterator`: `while let Some(band) = bands.next()?`. After an error
/// there are no more bands, and each further call is an error too. Dropped before the last band, it waits for what the
/// device has begun, and nothing is left running. What else the kernel gathers, in a sum or a list, is then what the bands
/// that had begun have added.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
///     r#" distance = fabsf(x.i - x.j); "#
/// }
///
/// let device = Device::cpu()?;
/// let x: Vec<f32> = (0..1000).map(|at| (at % 400) as f32).collect();
/// let buffer = device.upload(&x)?;
/// // The first pair of equal numbers: no band after the one that has it is computed to its end.
/// let mut bands = distance::load(&device)?.bands(&buffer)?.height(64).start()?;
/// let mut first = None;
/// while first.is_none()
///     && let Some(band) = bands.next()?
/// {
///     first = band.each_row().find_map(|(i, row)| {
///         row.iter().position(|distance| *distance == 0.0).map(|j| (i, j))
///     });
/// }
/// assert_eq!(first, Some((400, 0)));
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct StartedBands<'a, T> {
    device: Device,
    launch: Launch<'a, T>,
    cut: Cut,
    /// What copies bands to the host; `None` where they are computed there.
    relay: Option<Box<dyn Relay>>,
    /// Band k is computed in slot k modulo their number, and copied to the host's of the same index.
    slots: Vec<BandSlots<T>>,
    host: Vec<Pinned<T>>,
    /// The bands that have been launched and not yet lent.
    launched_rows: VecDeque<Range<usize>>,
    launched: usize,
    copied: usize,
    /// How many bands the caller is done with.
    returned: usize,
    /// The end of the rows that are lent now.
    lent: Option<usize>,
    report: Report<'a>,
    state: State,
}

enum State {
    Running,
    Ended,
    /// In the words of the first error.
    Failed(String),
}

impl<'a, T: DeviceType> StartedBands<'a, T> {
    /// Memory for `flight` bands at a time, of which the largest has `length` values.
    pub(super) fn new(
        device: Device,
        launch: Launch<'a, T>,
        cut: Cut,
        report: Report<'a>,
        flight: usize,
    ) -> Result<Self> {
        let length = cut.most_values();
        let flight = cut.clone().take(flight).count().max(1);
        // First the relay: it has the order of streams kept, from before the first use of the memory.
        let relay = device.backend().relay(flight)?;
        let count = if relay.is_some() { flight } else { 1 };
        let slots = (0..count).map(|_| BandSlots::new(device.backend(), &cut.whole, length));
        let slots = slots.collect::<Result<Vec<_>>>()?;
        let host = match relay {
            Some(_) => (0..count).map(|_| device.pinned(length)).collect::<Result<_>>()?,
            None => Vec::new(),
        };
        let launched_rows = VecDeque::with_capacity(2 * count);
        let mut started = StartedBands {
            device,
            launch,
            cut,
            relay,
            slots,
            host,
            launched_rows,
            launched: 0,
            copied: 0,
            returned: 0,
            lent: None,
            report,
            state: State::Running,
        };
        // What is wrong with the arguments is an error here, also where there are no rows.
        let first = started.cut.rows.start;
        if let Some(slot) = started.slots.first_mut() {
            slot.turn_to(&started.cut.whole, first..first);
            (started.launch)(first..first, slot)?;
        }
        Ok(started)
    }

    /// The next band; `None` after the last one. It is there until the next call.
    ///
    /// On a GPU, the bands after it are computed and copied while the caller has it.
    ///
    /// # Errors
    ///
    /// Those of a launch, or the device fails. No later call gives a band.
    // It lends, which an `Iterator` cannot.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<Band<'_, T>>> {
        match &self.state {
            State::Running => {}
            State::Ended => return Ok(None),
            State::Failed(failure) => {
                return Err(BandsCause::Failed { failure: failure.clone() }.into());
            }
        }
        if let Some(end) = self.lent.take() {
            self.returned += 1;
            self.report.reached(&self.cut.whole, end);
        }
        let ready = match self.advance() {
            Ok(ready) => ready,
            Err(error) => {
                self.fail(&error.to_string());
                return Err(error);
            }
        };
        let Some((at, rows)) = ready else {
            self.state = State::Ended;
            return Ok(None);
        };
        self.lent = Some(rows.end);
        let values = match (self.host.get(at), self.slots.get(at)) {
            (Some(host), Some(slot)) => host.get(..slot_length(&self.cut.whole, &rows, slot)),
            (None, Some(slot)) => match slot.memory.view_range(0..slot.length) {
                View::Cpu(values) => Some(values),
                _ => None,
            },
            _ => None,
        };
        let (values, whole) = (values.unwrap_or_default(), &self.cut.whole);
        Ok(Some(Band { start: whole.start(rows.start), rows, values, whole }))
    }

    /// Launches and copies what there is room for, and waits for the next band: the index of its slot, and its rows.
    fn advance(&mut self) -> Result<Option<(usize, Range<usize>)>> {
        let count = self.slots.len();
        loop {
            let mut is_idle = true;
            // A slot on the device is free once its copy has begun, after which the launch waits for it; on the host once
            // the caller is done with it.
            let is_free = match self.relay {
                Some(_) => self.launched < self.copied + count,
                None => self.launched == self.returned,
            };
            if is_free && let Some(rows) = self.cut.next() {
                self.launch_next(rows)?;
                is_idle = false;
            }
            if self.relay.is_some()
                && self.copied < self.launched
                && self.copied < self.returned + count
            {
                self.copy_next()?;
                is_idle = false;
            }
            if is_idle {
                break;
            }
        }
        let Some(rows) = self.launched_rows.pop_front() else { return Ok(None) };
        let at = self.returned % count;
        if let Some(relay) = &mut self.relay {
            relay.wait(at)?;
        }
        Ok(Some((at, rows)))
    }

    fn launch_next(&mut self, rows: Range<usize>) -> Result<()> {
        let at = self.launched % self.slots.len();
        let slot = &mut self.slots[at];
        slot.turn_to(&self.cut.whole, rows.clone());
        if let Some(relay) = &mut self.relay {
            relay.before_launch(at)?;
        }
        // Counted also if it fails: some of its steps may have been launched.
        self.launched += 1;
        (self.launch)(rows.clone(), slot)?;
        if let Some(relay) = &mut self.relay {
            relay.after_launch(at)?;
        }
        self.launched_rows.push_back(rows);
        Ok(())
    }

    fn copy_next(&mut self) -> Result<()> {
        let at = self.copied % self.slots.len();
        let (Some(relay), Some(host)) = (&mut self.relay, self.host.get_mut(at)) else {
            return Ok(());
        };
        let slot = &self.slots[at];
        // SAFETY: the host's memory has as many elements as the slot's, which are at least `length`. The caller is done
        // with it, and nothing reads or writes it before `wait`, or `finish`, which a drop of this value calls first. Both
        // memories are fields of this value, and so live as long as the copy.
        unsafe { slot.memory.copy_beside(&mut **relay, at, slot.length, host.address()) }?;
        self.copied += 1;
        Ok(())
    }

    fn fail(&mut self, failure: &str) {
        self.finish();
        self.state = State::Failed(failure.to_owned());
    }
}

/// How many values the rows have, of which the slot may by now be for later ones.
fn slot_length<T>(whole: &Whole, rows: &Range<usize>, slot: &BandSlots<T>) -> usize
where
    T: DeviceType,
{
    whole.values(rows).min(slot.memory.len())
}

impl<T> StartedBands<'_, T> {
    /// Waits until nothing uses the memory any more.
    fn finish(&mut self) {
        if self.launched == 0 {
            return;
        }
        if let Some(relay) = &mut self.relay
            && let Err(error) = relay.finish()
        {
            tracing::debug!("the device failed before its bands were given back: {error}");
        }
        if let Err(error) = self.device.synchronize() {
            tracing::debug!("the device failed before its bands were given back: {error}");
        }
    }
}

impl<T> Drop for StartedBands<'_, T> {
    fn drop(&mut self) {
        if matches!(self.state, State::Running) {
            self.finish();
        }
    }
}

impl<T> fmt::Debug for StartedBands<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StartedBands")
            .field("left", &self.cut.rows)
            .field("launched", &self.launched)
            .field("returned", &self.returned)
            .finish_non_exhaustive()
    }
}
