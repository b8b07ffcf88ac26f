//! Histograms on the host.

use crate::host::methods::length;

/// The counts or weights of all pairs by bin, from [`Histogram::download`](crate::Histogram::download).
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn distances(#[each] x: &[f32], h: &mut Histogram<u64>) {
///     r#" h.add(h.linear(fabsf(x.i - x.j), 0, 6)); "#
/// }
///
/// let device = Device::cpu()?;
/// let mut h = device.histogram(3)?;
/// distances::load(&device)?.launch(&device.upload(&[0.0, 1.0, 2.5, 8.0])?, &mut h)?;
/// let h = h.download()?;
/// assert_eq!((h.as_slice(), h.outside()), (&[2, 1, 1][..], 2));
/// let rows: Vec<_> = h.linear(0.0, 6.0).collect();
/// assert_eq!(rows, [(0.0, 2.0, 2), (2.0, 4.0, 1), (4.0, 6.0, 1)]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HostHistogram<T> {
    bins: Vec<T>,
    outside: T,
}

impl<T: Copy> HostHistogram<T> {
    pub(crate) fn new(bins: Vec<T>, outside: T) -> Self {
        HostHistogram { bins, outside }
    }

    length!(self, "bins", self.bins.len());

    /// The bins.
    pub fn as_slice(&self) -> &[T] {
        &self.bins
    }

    /// The bins, without a copy.
    pub fn into_vec(self) -> Vec<T> {
        self.bins
    }

    /// The pairs in no bin: their count or the sum of their weights.
    pub fn outside(&self) -> T {
        self.outside
    }

    /// Each bin with its first value and its end, for bins of equal widths as in `h.linear(x, from, to)`.
    pub fn linear(&self, from: f64, to: f64) -> impl Iterator<Item = (f64, f64, T)> {
        let edge = move |share: f64| from + (to - from) * share;
        self.with_edges(edge)
    }

    /// Each bin with its first value and its end, for bins whose ends have equal ratios as in `h.logarithmic(x, from, to)`.
    pub fn logarithmic(&self, from: f64, to: f64) -> impl Iterator<Item = (f64, f64, T)> {
        let edge = move |share: f64| from * (to / from).powf(share);
        self.with_edges(edge)
    }

    /// Each bin between two edges, which are at shares of the whole.
    fn with_edges(&self, edge: impl Fn(f64) -> f64) -> impl Iterator<Item = (f64, f64, T)> {
        let count = self.bins.len() as f64;
        let bins = self.bins.iter().copied().enumerate();
        bins.map(move |(at, value)| (edge(at as f64 / count), edge((at + 1) as f64 / count), value))
    }
}
